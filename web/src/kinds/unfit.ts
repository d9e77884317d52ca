import type { FieldDefinition } from "~/api/records";
import type { Texts } from "~/i18n/en";
import { kindOf } from "./registry";

/** What to write instead of a value that the server would take as a text, though it is none. */
export function unfitText(
  field: FieldDefinition,
  value: unknown,
  texts: Texts,
): string | undefined {
  const { fits, unfit } = kindOf(field);
  const isUnfit = typeof value === "string" && fits && !fits(value);
  return isUnfit ? unfit?.(texts) : undefined;
}
