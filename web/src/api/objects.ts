/** Writes of objects. */
import { client, type Versioned, versionedOf } from "./client";
import type { InventoryObject, ObjectField } from "./types";

/** What a write answers: the object, and what the server finds doubtful about it. */
export interface Written {
  object: InventoryObject;
  warnings: readonly string[];
  /** What undoes the write. */
  requestId: string;
}

export async function createObject(
  type: number,
  author: number,
  fields: ObjectField[],
): Promise<Written> {
  const body = { type_id: type, author_id: author, fields };
  const { data, requestId } = await versionedOf(client.POST("/rest/objects", { body }));
  return { object: data.raw, warnings: detailsOf(data.warnings), requestId };
}

/** Changes these fields of an object that still has this revision. */
export async function changeObject(
  id: number,
  fields: ObjectField[],
  revision: string,
): Promise<Written> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const { data, requestId } = await versionedOf(
    client.PATCH("/rest/objects/{public_id}", { params, body: { fields } }),
  );
  return { object: data.result, warnings: detailsOf(data.warnings), requestId };
}

function detailsOf(warnings: readonly { detail: string }[] | null | undefined): string[] {
  return (warnings ?? []).map(({ detail }) => detail);
}

/** What becomes of references to a deleted object. */
export type OnReferences = "keep" | "clear";

export function deleteObject(id: number, references: OnReferences): Promise<Versioned<unknown>> {
  const query = references === "clear" ? { references } : {};
  const params = { path: { public_id: String(id) }, query };
  return versionedOf(client.DELETE("/rest/objects/{public_id}", { params }));
}

export function setObjectState(id: number, active: boolean): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.PUT("/rest/objects/{public_id}/state", { params, body: { active } }));
}
