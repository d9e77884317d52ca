/** What programs keep for a user. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { Setting } from "./records";

export const settingsQuery = (user: number) =>
  queryOptions({
    queryKey: ["settings", user],
    queryFn: async ({ signal }): Promise<Setting[]> => {
      const params = { path: { public_id: user } };
      const list = await dataOf(client.GET("/rest/users/{public_id}/settings", { params, signal }));
      return list.results;
    },
  });

export const deleteSettingMutation = (user: number) =>
  mutationOptions({
    mutationFn: (identifier: string): Promise<Versioned<unknown>> => {
      const params = { path: { public_id: user, identifier } };
      const path = "/rest/users/{public_id}/settings/{identifier}";
      return versionedOf(client.DELETE(path, { params }));
    },
    meta: { invalidates: [settingsQuery(user).queryKey] },
  });
