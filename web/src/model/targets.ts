/** What makes a field a reference, and which objects its values name. */
import type { FieldDefinition } from "~/api/records";

/** Whether a field says which types it may refer to: that makes it a reference. */
export function hasTargetTypes(field: Pick<FieldDefinition, "ref_types"> | undefined): boolean {
  return (field?.ref_types?.length ?? 0) > 0;
}

/** The ids of the objects that a value refers to. */
export function targetIds(value: unknown): number[] {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}
