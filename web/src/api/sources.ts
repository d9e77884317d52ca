/** Sources: saved mappings of imports. */

import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import { importKeys } from "./imports";
import { objectKeys } from "./objects";
import type { MissingRecord, ObjectSource, Source, SourceBody } from "./records";

export const sourcesQuery = queryOptions({
  queryKey: ["sources"],
  queryFn: async ({ signal }): Promise<Source[]> => {
    const query = { limit: 0, sort: "name" };
    const page = await dataOf(client.GET("/rest/sources", { params: { query }, signal }));
    return page.results;
  },
});

/** The sources to whose records an object belongs. */
export const objectSourcesQuery = (id: number) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "sources"],
    queryFn: async ({ signal }): Promise<ObjectSource[]> => {
      const params = { path: { public_id: id }, query: { limit: 0 } };
      const read = client.GET("/rest/objects/{public_id}/sources", { params, signal });
      return (await dataOf(read)).results as ObjectSource[];
    },
  });

export const createSourceMutation = mutationOptions({
  mutationFn: async (body: SourceBody): Promise<number> =>
    (await dataOf(client.POST("/rest/sources", { body }))).raw.public_id,
  meta: { invalidates: [sourcesQuery.queryKey] },
});

/** Changes members, and leaves the others alone. */
export const changeSourceMutation = (id: number) =>
  mutationOptions({
    mutationFn: (body: Partial<SourceBody>): Promise<unknown> => {
      const params = { path: { public_id: id } };
      return dataOf(client.PATCH("/rest/sources/{public_id}", { params, body }));
    },
    meta: { invalidates: [sourcesQuery.queryKey] },
  });

export const deleteSourceMutation = (id: number) =>
  mutationOptions({
    mutationFn: (): Promise<unknown> => {
      const params = { path: { public_id: id } };
      return dataOf(client.DELETE("/rest/sources/{public_id}", { params }));
    },
    meta: { invalidates: [sourcesQuery.queryKey] },
  });

export const MISSING_SHOWN = 50;

/** The first objects whose records an import misses. `step` tells its runs apart. */
export const missingQuery = (id: number, step: string) =>
  queryOptions({
    queryKey: [...importKeys.one(id), "missing", step],
    queryFn: async ({ signal }): Promise<MissingRecord[]> => {
      const params = { path: { public_id: id }, query: { limit: MISSING_SHOWN } };
      const read = client.GET("/rest/imports/{public_id}/missing", { params, signal });
      return (await dataOf(read)).results as MissingRecord[];
    },
  });
