/** What a change of many objects does to a field. */
import type { ObjectJobBody } from "~/api/records";

export type FieldChange =
  | { what: "set"; value: unknown }
  | { what: "clear" }
  | { what: "append"; text: string };

/** The members of the job. To set nothing is to clear. */
export function jobChanges(
  changes: ReadonlyMap<string, FieldChange>,
): Pick<ObjectJobBody, "set" | "clear" | "append"> {
  const set: Record<string, unknown> = {};
  const append: Record<string, string> = {};
  const clear: string[] = [];
  for (const [name, change] of changes) {
    if (change.what === "append") append[name] = change.text;
    else if (change.what === "set" && change.value !== null) set[name] = change.value;
    else clear.push(name);
  }
  return {
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(Object.keys(append).length > 0 ? { append } : {}),
    ...(clear.length > 0 ? { clear } : {}),
  };
}
