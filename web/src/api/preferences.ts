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
/** More would be read in no side bar. */
const MOST_PINNED = 50;

/** Nothing if this user has none yet. */
export const preferencesQuery = (user: number) =>
  queryOptions({
    queryKey: ["preferences", user],
    queryFn: async ({ signal }): Promise<Preferences | null> => {
      const params = { path: { public_id: user }, query: {} };
      const page = await dataOf(client.GET("/rest/users/{public_id}/settings", { params, signal }));
      const settings = page.results as { identifier: string; payload: unknown }[];
      const setting = settings.find(({ identifier }) => identifier === IDENTIFIER);
      return setting ? preferencesOf(setting.payload) : null;
    },
    staleTime: 60_000,
  });

/** Reads what was stored, perhaps by another program; what cannot be read is left out. */
export function preferencesOf(payload: unknown): Preferences {
  const stored = typeof payload === "object" ? (payload as Record<string, unknown> | null) : null;
  const pinned = stored?.pinned_views;
  return {
    ...stored,
    pinned_views: Array.isArray(pinned)
      ? [...new Set(pinned.filter(Number.isSafeInteger))].slice(0, MOST_PINNED)
      : [],
  };
}

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
