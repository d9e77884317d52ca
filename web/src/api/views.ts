/** Saved views. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { SavedView, SavedViewBody } from "./types";

/** All views that the caller sees. */
export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: async ({ signal }): Promise<SavedView[]> => {
    const query = { limit: 0, sort: "name" };
    const page = await dataOf(client.GET("/rest/views", { params: { query }, signal }));
    return page.results;
  },
  staleTime: 60_000,
});

export async function createView(body: SavedViewBody): Promise<SavedView> {
  return (await dataOf(client.POST("/rest/views", { body }))).raw;
}

export function changeView(id: number, body: Partial<SavedViewBody>): Promise<unknown> {
  const params = { path: { public_id: id } };
  return dataOf(client.PATCH("/rest/views/{public_id}", { params, body: { ...body } }));
}

export function deleteView(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/views/{public_id}", { params }));
}
