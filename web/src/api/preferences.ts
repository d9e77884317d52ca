/** What the UI remembers of its user on every browser: a setting of the API. */
import { queryOptions } from "@tanstack/react-query";
import type { Widget } from "~/model/dashboard";
import { client, dataOf, versionedOf } from "./client";
import { problemOf } from "./problem";

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

/** Other tabs may change them again and again. */
const ATTEMPTS = 5;

/** Changes them as they are now, whatever this tab knows of them. */
export function changePreferences(
  user: number,
  change: (stored: Preferences) => Preferences,
): Promise<void> {
  const changed = last.catch(() => undefined).then(() => attempt(user, change));
  last = changed;
  return changed;
}

/** Changes of this tab are written in their order. */
let last: Promise<unknown> = Promise.resolve();

async function attempt(user: number, change: (stored: Preferences) => Preferences): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(user, change);
    } catch (error) {
      const { status } = problemOf(error);
      const isOutdated = status === 412 || status === 400;
      if (!isOutdated || attempt === ATTEMPTS) throw error;
    }
  }
}

async function write(user: number, change: (stored: Preferences) => Preferences): Promise<void> {
  const path = { public_id: user, identifier: IDENTIFIER };
  const stored = await versionedOf(
    client.GET("/rest/users/{public_id}/settings/{identifier}", { params: { path } }),
  ).catch((error: unknown) => {
    if (problemOf(error).status !== 404) throw error;
    return undefined;
  });
  const payload = { ...change(preferencesOf(stored?.data.results[0]?.payload)) };
  const body = { setting_type: "APPLICATION" as const, payload };
  if (!stored) {
    const params = { path: { public_id: user } };
    const made = { ...body, identifier: IDENTIFIER };
    await dataOf(client.POST("/rest/users/{public_id}/settings", { params, body: made }));
    return;
  }
  const params = { path, header: { "If-Match": stored.revision } };
  await dataOf(client.PUT("/rest/users/{public_id}/settings/{identifier}", { params, body }));
}
