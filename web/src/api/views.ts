/** Saved views. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { SavedView, SavedViewBody } from "./records";

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

export const createViewMutation = mutationOptions({
  mutationFn: async (body: SavedViewBody): Promise<SavedView> =>
    (await dataOf(client.POST("/rest/views", { body }))).raw,
  meta: { invalidates: [viewsQuery.queryKey] },
});

export const changeViewMutation = mutationOptions({
  mutationFn: ({ id, body }: { id: number; body: Partial<SavedViewBody> }): Promise<unknown> => {
    const params = { path: { public_id: id } };
    return dataOf(client.PATCH("/rest/views/{public_id}", { params, body: { ...body } }));
  },
  meta: { invalidates: [viewsQuery.queryKey] },
});

export function deleteView(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/views/{public_id}", { params }));
}
