/** A type that is made from the columns of a file. */
import type { FieldDefinition, ImportColumn } from "~/api/records";
import type { TypeBody } from "./typeDraft";

/** The proposal of the server, if it is one. */
export function proposedBody(
  proposed: Record<string, unknown> | null | undefined,
): TypeBody | undefined {
  return proposed && Array.isArray(proposed["fields"]) ? (proposed as TypeBody) : undefined;
}

/** The column that a proposed field came from. */
export function columnOfField(
  { label }: FieldDefinition,
  columns: readonly ImportColumn[],
): ImportColumn | undefined {
  return columns.find(({ name }) => name === label);
}

/** The field with another kind. If that needs options, they are the values of the column. */
export function withKind(
  { options: _, ...field }: FieldDefinition,
  kind: string,
  needsOptions: boolean,
  column: ImportColumn | undefined,
): FieldDefinition {
  const options = column?.distinct.map((value) => ({ name: value, label: value })) ?? [];
  return { ...field, type: kind, ...(needsOptions ? { options } : {}) };
}
