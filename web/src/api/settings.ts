/** What programs keep for a user. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { Setting } from "./types";

export const settingsQuery = (user: number) =>
  queryOptions({
    queryKey: ["settings", user],
    queryFn: async ({ signal }): Promise<Setting[]> => {
      const params = { path: { public_id: user } };
      const list = await dataOf(client.GET("/rest/users/{public_id}/settings", { params, signal }));
      return list.results;
    },
  });

export function deleteSetting(user: number, identifier: string): Promise<Versioned<unknown>> {
  const params = { path: { public_id: user, identifier } };
  return versionedOf(client.DELETE("/rest/users/{public_id}/settings/{identifier}", { params }));
}
