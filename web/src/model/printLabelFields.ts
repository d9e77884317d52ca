/** Which fields labels can show, and the names of all that have one. */
import type { FieldDefinition, InventoryObject, ObjectType } from "~/api/records";
import { fieldsOf } from "./object";

/** The fields of the types of these objects, each name once. */
export function printableFields(
  objects: readonly InventoryObject[],
  types: readonly ObjectType[],
): FieldDefinition[] {
  const ids = new Set(objects.map(({ type_id }) => type_id));
  const fields = types.filter(({ public_id }) => ids.has(public_id)).flatMap(fieldsOf);
  const byName = new Map<string, FieldDefinition>();
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}
