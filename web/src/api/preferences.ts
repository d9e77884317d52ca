/** What the UI remembers of its user on every browser: a setting of the API. */
import { queryOptions } from "@tanstack/react-query";
import type { Widget } from "~/model/dashboard";
import { client, dataOf, versionedOf } from "./client";
import { problemOf } from "./problem";
import type { Setting } from "./records";

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
      const setting = await find(user, signal);
      return setting ? preferencesOf(setting.payload) : null;
    },
    staleTime: 60_000,
  });

/** A list, as a setting that is not there would be an error to the browser. */
async function find(user: number, signal?: AbortSignal): Promise<Setting | undefined> {
  const params = { path: { public_id: user }, query: {} };
  const options = { params, ...(signal ? { signal } : {}) };
  const page = await dataOf(client.GET("/rest/users/{public_id}/settings", options));
  return page.results.find(({ identifier }) => identifier === IDENTIFIER);
}

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

/** Changes of this tab are written in their order. */
let last: Promise<unknown> = Promise.resolve();

/** Changes them as they are stored, whatever this tab knows of them. */
export function changePreferences(
  user: number,
  change: (stored: Preferences) => Preferences,
): Promise<void> {
  const changed = last.catch(() => undefined).then(() => write(user, change, ATTEMPTS));
  last = changed;
  return changed;
}

/** Other tabs may change them again and again. */
const ATTEMPTS = 5;

async function write(
  user: number,
  change: (stored: Preferences) => Preferences,
  attempts: number,
): Promise<void> {
  try {
    await ((await find(user)) ? replace(user, change) : create(user, change));
  } catch (error) {
    // Changed or made meanwhile.
    const isOutdated = [400, 412].includes(problemOf(error).status);
    if (!isOutdated || attempts === 1) throw error;
    await write(user, change, attempts - 1);
  }
}

const SETTING = "/rest/users/{public_id}/settings/{identifier}";

async function replace(user: number, change: (stored: Preferences) => Preferences) {
  const path = { public_id: user, identifier: IDENTIFIER };
  const { data, revision } = await versionedOf(client.GET(SETTING, { params: { path } }));
  const params = { path, header: { "If-Match": revision } };
  const body = bodyOf(change(preferencesOf(data.results[0]?.payload)));
  await dataOf(client.PUT(SETTING, { params, body }));
}

async function create(user: number, change: (stored: Preferences) => Preferences) {
  const params = { path: { public_id: user } };
  const body = { ...bodyOf(change({})), identifier: IDENTIFIER };
  await dataOf(client.POST("/rest/users/{public_id}/settings", { params, body }));
}

function bodyOf(preferences: Preferences) {
  return { setting_type: "APPLICATION" as const, payload: { ...preferences } };
}
