/** Saved views. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import { problemOf } from "./problem";
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

/** Somebody else changed the view since it was read. */
export class ViewConflict extends Error {
  readonly theirs: SavedView;

  constructor(theirs: SavedView) {
    super("the view was changed meanwhile");
    this.theirs = theirs;
  }
}

export const changeViewMutation = mutationOptions({
  mutationFn: async ({ view, definition }: ViewChange): Promise<unknown> => {
    const path = { public_id: view.public_id };
    const read = client.GET("/rest/views/{public_id}", { params: { path } });
    const { data, revision } = await versionedOf(read);
    const isSame = JSON.stringify(data.result.definition) === JSON.stringify(view.definition);
    if (!isSame) throw new ViewConflict(data.result);
    const params = { path, header: { "If-Match": revision } };
    const body = { definition: { ...definition } };
    return dataOf(client.PATCH("/rest/views/{public_id}", { params, body })).catch((error) => {
      throw problemOf(error).status === 412 ? new ViewConflict(data.result) : error;
    });
  },
  meta: { invalidates: [viewsQuery.queryKey] },
});

interface ViewChange {
  /** As it was when people chose it. */
  view: SavedView;
  definition: SavedViewBody["definition"];
}

export function deleteView(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/views/{public_id}", { params }));
}
