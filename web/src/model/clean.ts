/** What cleaning does to objects whose fields are not those of their type. */
import type { InventoryObject, ObjectType } from "~/api/records";
import { fieldsOf } from "./object";

/** A field that goes or comes, and how many objects are concerned. */
export interface CleanedField {
  name: string;
  label: string;
  objects: number;
  /** How many of them have a value, which is lost. */
  values: number;
  /** One of these values. */
  example: unknown;
}

export interface Cleaning {
  removed: CleanedField[];
  added: CleanedField[];
}

export function cleaningOf(
  objects: readonly Pick<InventoryObject, "fields">[],
  type: ObjectType,
): Cleaning {
  const fields = fieldsOf(type);
  const known = new Set(fields.map(({ name }) => name));
  const removed = new Map<string, CleanedField>();
  const added = new Map<string, CleanedField>();
  for (const object of objects) {
    const seen = new Set<string>();
    for (const { name, value } of object.fields) {
      // Of a field that is there twice, the first one stays.
      const stays = known.has(name) && !seen.has(name);
      if (!stays) count(removed, name, name, value);
      seen.add(name);
    }
    for (const { name, label } of fields) if (!seen.has(name)) count(added, name, label || name);
  }
  return { removed: [...removed.values()], added: [...added.values()] };
}

function count(all: Map<string, CleanedField>, name: string, label: string, value?: unknown) {
  const field = all.get(name) ?? { name, label, objects: 0, values: 0, example: undefined };
  const isEmpty = value === undefined || value === null || value === "";
  all.set(name, {
    ...field,
    objects: field.objects + 1,
    values: field.values + (isEmpty ? 0 : 1),
    example: field.example ?? (isEmpty ? undefined : value),
  });
}
