/** Objects that were deleted, as the history knows them. */
import type { Change, InventoryObject, ObjectType } from "~/api/records";
import { summaryOf } from "./object";

/** What an object was called before this deletion; its number if nothing names it. */
export function nameBefore(
  { public_id }: Pick<Change, "public_id">,
  changes: Change["changes"],
  type: ObjectType | undefined,
): string {
  const fields = changes?.find(({ path }) => path === "fields")?.before;
  // References of the summary are left out: what they pointed to is not asked for.
  const object = { fields: Array.isArray(fields) ? fields.filter(isField) : [] };
  return summaryOf(object, type) || `#${public_id}`;
}

function isField(value: unknown): value is InventoryObject["fields"][number] {
  return typeof value === "object" && value !== null && "name" in value;
}

/** The deletions of objects that are still gone, each object once. */
export function stillGone(
  deletions: readonly Change[],
  there: readonly Pick<InventoryObject, "public_id">[],
): Change[] {
  const seen = new Set(there.map(({ public_id }) => public_id));
  return deletions.filter(({ public_id }) => {
    if (!public_id || seen.has(public_id)) return false;
    seen.add(public_id);
    return true;
  });
}
