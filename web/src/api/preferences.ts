/** What the UI remembers of its user on every browser: a setting of the API. */
import { queryOptions } from "@tanstack/react-query";
import type { Widget } from "~/model/dashboard";
import { client, dataOf } from "./client";

export interface Preferences {
  /** Ids of the saved views in the side bar. */
  pinned_views?: number[];
  /** The widgets of the first page, in their order. */
  dashboard?: readonly Widget[];
}

const IDENTIFIER = "web-ui";

/** Nothing if this user has none yet. */
export const preferencesQuery = (user: number) =>
  queryOptions({
    queryKey: ["preferences", user],
    queryFn: async ({ signal }): Promise<Preferences | null> => {
      const params = { path: { public_id: user }, query: {} };
      const page = await dataOf(client.GET("/rest/users/{public_id}/settings", { params, signal }));
      const settings = page.results as { identifier: string; payload: object }[];
      return settings.find(({ identifier }) => identifier === IDENTIFIER)?.payload ?? null;
    },
    staleTime: 60_000,
  });

export function savePreferences(
  user: number,
  preferences: Preferences,
  isFirst: boolean,
): Promise<unknown> {
  const setting = { setting_type: "APPLICATION" as const, payload: { ...preferences } };
  if (isFirst) {
    const params = { path: { public_id: user } };
    const body = { ...setting, identifier: IDENTIFIER };
    return dataOf(client.POST("/rest/users/{public_id}/settings", { params, body }));
  }
  const params = { path: { public_id: user, identifier: IDENTIFIER } };
  return dataOf(
    client.PUT("/rest/users/{public_id}/settings/{identifier}", { params, body: setting }),
  );
}
