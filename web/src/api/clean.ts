/** Objects whose fields are not those of their type, and what makes them fit again. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import { objectKeys } from "./objects";
import type { InventoryObject, Page, RightName } from "./records";

export const CLEAN_RIGHT: RightName = "base.framework.type.clean";
/** More changes of one request are not taken back at once. */
export const MOST_UNDONE = 10_000;
/** So many objects are looked at to say what cleaning does. */
const LOOKED_AT = 100;

async function unclean(type: number, limit: number, signal: AbortSignal) {
  const params = { path: { public_id: type }, query: { limit } };
  const page = await dataOf(client.GET("/rest/objects/clean/{public_id}", { params, signal }));
  return { results: page.results as InventoryObject[], total: page.total ?? 0 };
}

/** How many objects of a type have other fields than the type. */
export const uncleanQuery = (type: number) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "unclean", type],
    queryFn: async ({ signal }): Promise<number> => (await unclean(type, 1, signal)).total,
  });

/** The first of these objects. */
export const uncleanObjectsQuery = (type: number) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "unclean", type, "objects"],
    queryFn: ({ signal }): Promise<Page<InventoryObject>> => unclean(type, LOOKED_AT, signal),
    staleTime: 0,
  });

/** Takes out the fields that the type does not have, and adds those that are missing. */
export async function cleanObjects(type: number): Promise<Versioned<number>> {
  const params = { path: { public_id: type } };
  const { data, ...written } = await versionedOf(
    client.PUT("/rest/objects/clean/{public_id}", { params }),
  );
  return { ...written, data: data.result.cleaned };
}
