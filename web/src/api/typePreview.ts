/** What a change of a type would do to its objects. */
import type { TypeBody } from "~/model/typeDraft";
import { client, dataOf } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type TypePreview = Schemas["TypePreview"];
/** A field, and the objects whose values are concerned. */
export type FieldFinding = Schemas["PreviewFinding"];
export type PreviewedObject = Schemas["PreviewedObject"];

export async function previewType(id: number, body: TypeBody): Promise<TypePreview> {
  const params = { path: { public_id: id } };
  const { result } = await dataOf(client.POST("/rest/types/{public_id}/preview", { params, body }));
  return result;
}
