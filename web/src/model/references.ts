/** Which fields of which objects point where. */
import type { InventoryObject, Labels, ObjectType } from "~/api/types";
import { fieldsOf } from "./object";
import type { InventoryRecord } from "./record";

/** A field that points to an object. */
export interface Pointer {
  field: string;
  label: string;
  /** The id of the object, as the field has it. */
  value: string;
  /** Nothing if the object was deleted or is not visible. */
  target: { id: number; type: number | undefined; summary: string } | undefined;
}

/** The objects that a record points to, in the order of its fields. */
export function pointersOf(record: InventoryRecord, labels: Labels): Pointer[] {
  return [...record.fields.values()].flatMap(({ definition, value, target }): Pointer[] => {
    const isEmpty = value === null || value === undefined || value === "";
    if (isEmpty || (!target && !definition.ref_types?.length)) return [];
    const label = labels[String(value)];
    return [
      {
        field: definition.name,
        label: definition.label || definition.name,
        value: String(value),
        target: target && {
          id: target.id,
          type: label?.type_id,
          summary: label?.summary || target.summary || `#${target.id}`,
        },
      },
    ];
  });
}

/** The labels of the fields by which an object refers to another one. */
export function referringFields(
  object: InventoryObject,
  id: number,
  type: ObjectType | undefined,
): string[] {
  return fieldsOf(type)
    .filter((field) => field.ref_types?.length)
    .filter(({ name }) =>
      object.fields.some((field) => field.name === name && String(field.value) === String(id)),
    )
    .map(({ label, name }) => label || name);
}
