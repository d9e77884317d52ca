/** What a form changes of an object. */
import type { FieldDefinition, InventoryObject } from "~/api/records";

/** Values by the names of their fields. */
export type Values = ReadonlyMap<string, unknown>;

export function valuesOf(object: InventoryObject): Values {
  return new Map(object.fields.map(({ name, value }) => [name, value]));
}

/** The values that a copy of an object begins with: without those that only one object may have. */
export function copiedValues(object: InventoryObject, fields: readonly FieldDefinition[]): Values {
  const unique = new Set(fields.filter((field) => field.unique === true).map(({ name }) => name));
  return new Map(object.fields.map(({ name, value }) => [name, unique.has(name) ? null : value]));
}

/** The values of a new object: what the type's fields begin with. */
export function initialValues(fields: readonly FieldDefinition[]): Values {
  return new Map(fields.map((field) => [field.name, field.value ?? field.default ?? null]));
}

/** The fields of `after` that differ from `before`. */
export function changedFields(before: Values, after: Values): { name: string; value: unknown }[] {
  return [...after]
    .filter(([name, value]) => !isSame(before.get(name), value))
    .map(([name, value]) => ({ name, value }));
}

/** No value and an empty text are the same to people. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? "") === JSON.stringify(right ?? "");
}

export interface Merged {
  /** What this form and somebody else changed to different values, with the other's value. */
  conflicts: Values;
  /** The other's values, with this form's changes where nobody else changed anything. */
  values: Values;
}

/** Joins two changes of the same object. */
export function merge(base: Values, mine: Values, theirs: Values): Merged {
  const conflicts = new Map<string, unknown>();
  const values = new Map(theirs);
  for (const { name, value } of changedFields(base, mine)) {
    const isTheirs = !isSame(base.get(name), theirs.get(name));
    if (isTheirs && !isSame(theirs.get(name), value)) conflicts.set(name, theirs.get(name));
    values.set(name, value);
  }
  return { conflicts, values };
}

const FIELD_POINTER = /^\/fields\/(\d+)(\/|$)/;

/** The faults of a refused write by the names of the fields; others below an empty name. */
export function faultsByField(
  faults: readonly { pointer: string; detail: string }[],
  sent: readonly { name: string }[],
): Map<string, string> {
  const byField = new Map<string, string>();
  for (const { pointer, detail } of faults) {
    const index = FIELD_POINTER.exec(pointer)?.[1];
    const named = sent.find(({ name }) => pointer === `fields.${name}`)?.name;
    const name = named ?? sent[Number(index)]?.name ?? "";
    byField.set(name, [byField.get(name), detail].filter(Boolean).join(" "));
  }
  return byField;
}
