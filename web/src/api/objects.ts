/** Objects: lists, one, and writes. */
import { queryOptions } from "@tanstack/react-query";
import { isSearchable } from "~/model/search";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import { once } from "./once";
import type { InventoryObject, ObjectField, ObjectType, Page, ReferenceTitles } from "./records";

/** What depends on many objects, and what on one. */
export const objectKeys = {
  lists: ["objects"],
  each: ["object"],
  one: (id: number) => ["object", id],
} as const;

/** The parameters of an object list. */
export interface ObjectListQuery {
  filter?: string;
  sort?: string;
  order?: number;
  limit: number;
  page: number;
}

export const objectsQuery = (query: ObjectListQuery) =>
  queryOptions({
    queryKey: [...objectKeys.lists, query],
    queryFn: async ({ signal }): Promise<Page<InventoryObject>> => {
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return { results: page.results as InventoryObject[], total: page.total ?? 0 };
    },
  });

export const objectQuery = (id: number) =>
  queryOptions({
    queryKey: objectKeys.one(id),
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/rest/objects/{public_id}", { params: { path: { public_id: id } }, signal }),
      ),
  });

/** As stored, with its revision: what a form changes. */
export const nativeObjectQuery = (id: number) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "native"],
    queryFn: ({ signal }) => {
      const params = { path: { public_id: id } };
      return versionedOf(client.GET("/rest/objects/{public_id}/native", { params, signal }));
    },
  });

const CANDIDATES_SHOWN = 20;

/** Objects that a reference could point to: of these types, with the text in any field. */
export const candidatesQuery = (types: readonly ObjectType[], text: string) => {
  const filter = JSON.stringify({ type_id: { $in: types.map(({ public_id }) => public_id) } });
  const wanted = text.trim();
  const found = isSearchable(wanted) ? { q: wanted } : {};
  const sort = { sort: "last_edit_time", order: -1, limit: CANDIDATES_SHOWN, total: false };
  const query = { filter, ...found, ...sort };
  return queryOptions({
    queryKey: [...objectKeys.lists, "candidates", query],
    queryFn: async ({ signal }): Promise<InventoryObject[]> => {
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return page.results as InventoryObject[];
    },
  });
};

/** An object and those that it refers to; of a time in the past, if there is one. */
export const neighboursQuery = (id: number, asOf?: string) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "neighbours", asOf],
    queryFn: async ({ signal }): Promise<{ object: InventoryObject; titles: ReferenceTitles }> => {
      const query = { labels: true, ...past(asOf) };
      const params = { path: { public_id: id }, query };
      const object = await dataOf(
        client.GET("/rest/objects/{public_id}/native", { params, signal }),
      );
      return { object, titles: object.labels ?? {} };
    },
  });

/** The parameter of a list that shows how it was. */
export function past(asOf: string | undefined) {
  return asOf === undefined ? {} : { as_of: asOf };
}

/** The id of the object before or after one among those of its type; nothing at the end. */
export const besideQuery = (type: number, id: number, step: 1 | -1) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "beside", type, id, step],
    queryFn: async ({ signal }): Promise<number | null> => {
      const filter = JSON.stringify({
        type_id: type,
        public_id: { [step > 0 ? "$gt" : "$lt"]: id },
      });
      const query = { filter, sort: "public_id", order: step, limit: 1, total: false };
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return (page.results as InventoryObject[])[0]?.public_id ?? null;
    },
  });

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
  const { data, requestId } = await once(body, (headers) =>
    versionedOf(client.POST("/rest/objects", { body, headers })),
  );
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
