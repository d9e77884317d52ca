/** An object as a table shows it. */
import type { InventoryObject, ReferenceTitles } from "~/api/records";
import { dateOf } from "./object";

export interface Row {
  id: number;
  type: number;
  /** What an edit sends back as `If-Match`. */
  revision: number | undefined;
  isActive: boolean;
  values: ReadonlyMap<string, unknown>;
  changed: Date | undefined;
  object: InventoryObject;
  /** The objects that the page refers to, by id. */
  titles: ReferenceTitles;
}

export function rowOf(object: InventoryObject, titles: ReferenceTitles): Row {
  return {
    id: object.public_id,
    type: object.type_id,
    revision: object.revision ?? undefined,
    isActive: object.active,
    values: new Map(object.fields.map(({ name, value }) => [name, value])),
    changed: dateOf(object.last_edit_time) ?? dateOf(object.creation_time),
    object,
    titles,
  };
}

/** The object that a value of a reference names; nothing if it is gone or not visible. */
export function targetOf(value: unknown, titles: ReferenceTitles) {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const title = titles[String(value)];
  return title && { id: Number(value), summary: title.summary };
}
