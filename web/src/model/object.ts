/** Objects and their types. */
import type { FieldDefinition, InventoryObject, ObjectType, ReferenceTitles } from "~/api/records";
import { hasTargetTypes } from "./targets";
import { textOf } from "./textOf";

/** The parts of an object's page, as addresses name them. */
export const OBJECT_TABS = ["overview", "references", "graph", "history", "api"] as const;
export type ObjectTab = (typeof OBJECT_TABS)[number];

/** The value of a field; `undefined` if the object has none of this name. */
export function fieldValue(object: Pick<InventoryObject, "fields">, name: string): unknown {
  return object.fields.find((field) => field.name === name)?.value;
}

export function fieldsOf(type: ObjectType | undefined): FieldDefinition[] {
  return type?.fields ?? [];
}

/** The type's fields in the order in which a table shows them: those of its summary first. */
export function columnFields(type: ObjectType): FieldDefinition[] {
  const fields = fieldsOf(type);
  const summary = type.render_meta.summary.fields ?? [];
  const first = summary.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const order = type.render_meta.sections.flatMap((section) => section.fields);
  const position = (field: FieldDefinition) => {
    const index = order.indexOf(field.name);
    return index < 0 ? order.length : index;
  };
  const rest = fields.filter((field) => !first.includes(field));
  return [...first, ...rest.toSorted((left, right) => position(left) - position(right))];
}

export interface FormSection {
  name: string;
  label: string;
  fields: FieldDefinition[];
  isFirst: boolean;
}

/** The fields by section; those of no section come last. Sections without fields are left out. */
export function sectionsOf(type: ObjectType, otherLabel: string): FormSection[] {
  const fields = fieldsOf(type);
  const sections = type.render_meta.sections;
  const placed = new Set(sections.flatMap((section) => section.fields));
  const others = fields.filter((field) => !placed.has(field.name));
  return [
    ...sections.map(({ name, label, fields: names }) => ({
      name,
      label: label || name,
      fields: names.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    })),
    { name: "", label: sections.length > 0 ? otherLabel : "", fields: others },
  ]
    .filter((section) => section.fields.length > 0)
    .map((section, index) => ({ ...section, isFirst: index === 0 }));
}

/** A line that names the object, by the fields of its type's summary. */
export function summaryOf(
  object: Pick<InventoryObject, "fields">,
  type: ObjectType | undefined,
  titles: ReferenceTitles = {},
): string {
  const names = type?.render_meta.summary.fields ?? [];
  const parts = names.map((name) => {
    const value = fieldValue(object, name);
    const field = fieldsOf(type).find((field) => field.name === name);
    return hasTargetTypes(field) ? titles[textOf(value)]?.summary : textOf(value);
  });
  return parts.filter(Boolean).join(" | ");
}

/** The time of `{"$date": …}`. */
export function dateOf(value: unknown): Date | undefined {
  if (typeof value !== "object" || value === null || !("$date" in value)) return undefined;
  const date = new Date(value.$date as number | string);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
