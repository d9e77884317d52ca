/** Which fields of which objects point where. */
import type { InventoryObject, ObjectType, Operation, ReferenceTitles } from "~/api/records";
import { fieldsOf } from "./object";
import type { InventoryRecord } from "./record";
import { hasTargetTypes } from "./targets";
import { textOf } from "./textOf";

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
export function pointersOf(record: InventoryRecord, titles: ReferenceTitles): Pointer[] {
  return [...record.fields.values()].flatMap(({ definition, value, target }): Pointer[] => {
    const isEmpty = value === null || value === undefined || value === "";
    if (isEmpty || (!target && !hasTargetTypes(definition))) return [];
    const label = titles[textOf(value)];
    return [
      {
        field: definition.name,
        label: definition.label || definition.name,
        value: textOf(value),
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
    .filter(hasTargetTypes)
    .filter(({ name }) =>
      object.fields.some((field) => field.name === name && textOf(field.value) === String(id)),
    )
    .map(({ label, name }) => label || name);
}

/** References to an object that are to point to another one. */
export interface Pointing {
  id: number;
  target: number;
  /** Whether a field of a type is a reference. */
  isReference: (type: number, field: string) => boolean;
}

/** The writes that let these objects point elsewhere, and then delete what they pointed to. */
export function redirection(
  referrers: readonly InventoryObject[],
  { id, target, isReference }: Pointing,
): Operation[] {
  const changes = referrers.flatMap((object): Operation[] => {
    const { public_id, type_id, revision } = object;
    const pointing = object.fields.filter(
      ({ name, value }) => isReference(type_id, name) && textOf(value) === String(id),
    );
    if (pointing.length === 0 || public_id === id) return [];
    // No object takes its own place.
    const value = public_id === target ? null : target;
    const fields = pointing.map(({ name }) => ({ name, value }));
    const known = revision ? { if_match: revision } : {};
    return [{ method: "PATCH", path: `/objects/${public_id}`, body: { fields }, ...known }];
  });
  // What still refers to it by then refuses all of it.
  return [...changes, { method: "DELETE", path: `/objects/${id}?references=protect` }];
}

/** The types to which all fields of these types may point that may point to a type. */
export function commonTargets(
  type: number,
  referring: readonly (ObjectType | undefined)[],
): number[] {
  const fields = referring.flatMap(fieldsOf);
  const lists = fields.flatMap(({ ref_types: targets }) =>
    targets?.includes(type) ? [targets] : [],
  );
  const [first = [type], ...others] = lists;
  return first.filter((target) => others.every((list) => list.includes(target)));
}
