/** Types of objects. */
import { queryOptions } from "@tanstack/react-query";
import type { TypeBody } from "~/model/typeDraft";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { ObjectType, TypePreview } from "./records";

export const typeKeys = {
  all: ["types"],
  each: ["type"],
  one: (id: number) => ["type", id],
} as const;

/** Types change rarely, and the tables need them all the time. */
const FRESH_MS = 60_000;

export const typesQuery = queryOptions({
  queryKey: typeKeys.all,
  queryFn: async ({ signal }): Promise<ObjectType[]> => {
    const query = { limit: 0, sort: "label" };
    const page = await dataOf(client.GET("/rest/types", { params: { query }, signal }));
    return page.results;
  },
  staleTime: FRESH_MS,
});

/** A type with the revision that a change must name. */
export const typeQuery = (id: number) =>
  queryOptions({
    queryKey: typeKeys.one(id),
    queryFn: async ({ signal }): Promise<Versioned<ObjectType>> => {
      const params = { path: { public_id: id } };
      const got = await versionedOf(client.GET("/rest/types/{public_id}", { params, signal }));
      return { ...got, data: got.data.result as ObjectType };
    },
    refetchOnMount: "always",
    // An open draft belongs to the revision that it began with.
    refetchOnWindowFocus: false,
  });

/** What is stored by now, beside what a draft began with. */
export const newestTypeQuery = (id: number) =>
  queryOptions({ ...typeQuery(id), queryKey: [...typeKeys.one(id), "newest"], gcTime: 0 });

/** What a change would do to the objects of a type. */
export const typePreviewQuery = (id: number, body: TypeBody) =>
  queryOptions({
    queryKey: [...typeKeys.one(id), "preview", body],
    queryFn: async ({ signal }): Promise<TypePreview> => {
      const params = { path: { public_id: id } };
      const answer = client.POST("/rest/types/{public_id}/preview", { params, body, signal });
      return (await dataOf(answer)).result;
    },
    gcTime: 0,
  });

/** A type as stored, and what the server finds doubtful about it. */
export interface WrittenType {
  type: ObjectType;
  warnings: readonly { pointer: string; detail: string }[];
  revision: string;
  requestId: string;
}

export async function createType(body: TypeBody): Promise<WrittenType> {
  const { data, ...written } = await versionedOf(client.POST("/rest/types", { body }));
  return { type: data.raw as ObjectType, warnings: data.warnings ?? [], ...written };
}

export async function replaceType(
  id: number,
  body: TypeBody,
  revision: string,
): Promise<WrittenType> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const { data, ...written } = await versionedOf(
    client.PUT("/rest/types/{public_id}", { params, body }),
  );
  return { type: data.result as ObjectType, warnings: data.warnings ?? [], ...written };
}

export function deleteType(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/types/{public_id}", { params }));
}
