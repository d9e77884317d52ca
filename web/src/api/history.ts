/** The audit log: changes and logins of everybody, and ways back. */
import { infiniteQueryOptions, mutationOptions, queryOptions } from "@tanstack/react-query";
import { type AuditSearch, changesFilter, loginsFilter } from "~/model/auditLog";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import { EVERYTHING } from "./queryClient";
import type { Change, Effects, LoginAttempt } from "./records";

const HISTORY = ["history"] as const;

/** A page; the next one begins after `next`. */
interface CursorPage<T> {
  results: T[];
  next: string | null;
}

const CHANGES_SHOWN = 50;
/** Each of them is read on its own, too, for its name. */
const DELETIONS_SHOWN = 25;

/** Deletions of objects of a type, or of all types. */
export const deletionsQuery = (type: number | undefined) =>
  changesQuery(
    { resource: "object", action: "delete", ...(type === undefined ? {} : { type }) },
    DELETIONS_SHOWN,
  );

export const changesQuery = (search: AuditSearch, limit = CHANGES_SHOWN) =>
  infiniteQueryOptions({
    queryKey: [...HISTORY, "changes", search, limit],
    queryFn: async ({ pageParam, signal }): Promise<CursorPage<Change>> => {
      const query = { filter: changesFilter(search), limit, after: pageParam };
      const page = await dataOf(client.GET("/rest/history", { params: { query }, signal }));
      return { results: page.results, next: page.pager?.after ?? null };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

export const loginsQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [...HISTORY, "logins", search],
    queryFn: async ({ pageParam, signal }): Promise<CursorPage<LoginAttempt>> => {
      const query = { filter: loginsFilter(search), limit: CHANGES_SHOWN, after: pageParam };
      const page = await dataOf(client.GET("/rest/history/logins", { params: { query }, signal }));
      return { results: page.results, next: page.pager?.after ?? null };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** Everything but settings is below its plural and its id. */
const RECORDS = {
  object: "/rest/objects/{public_id}",
  type: "/rest/types/{public_id}",
  category: "/rest/categories/{public_id}",
  user: "/rest/users/{public_id}",
  group: "/rest/groups/{public_id}",
  view: "/rest/views/{public_id}",
  source: "/rest/sources/{public_id}",
  token: "/rest/tokens/{public_id}",
} as const;
const SETTING = "/rest/users/{public_id}/settings/{identifier}";

/** What one change made of its record. */
export const differencesQuery = (change: Change) =>
  queryOptions({
    queryKey: [...HISTORY, "differences", change],
    queryFn: async ({ signal }): Promise<NonNullable<Change["changes"]>> => {
      const { resource, revision } = change;
      const query = { filter: JSON.stringify({ revision }), limit: 1 };
      const page = await dataOf(
        resource === "setting"
          ? client.GET(`${SETTING}/history`, { params: { path: settingOf(change), query }, signal })
          : client.GET(`${RECORDS[resource]}/history`, {
              params: { path: { public_id: change.public_id ?? 0 }, query },
              signal,
            }),
      );
      const [found] = page.results;
      return found?.changes ?? [];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

function settingOf({ user_id, identifier }: Change) {
  return { public_id: user_id ?? 0, identifier: identifier ?? "" };
}

/** What to go back to: the state after a change, or the one before all changes of a request. */
export type Goal = { change: Change } | { request: string };

export interface GoBack {
  goal: Goal;
  /** Whether later changes may be overwritten. */
  force: boolean;
}

/** Goes back, or only tries to. */
function goBackTo({ goal, force }: GoBack, isTry: boolean, signal?: AbortSignal) {
  const query = { dry_run: isTry };
  const abort = signal ? { signal } : {};
  if ("request" in goal) {
    const params = { path: { request_id: goal.request }, query };
    const path = "/rest/history/requests/{request_id}/revert";
    return versionedOf(client.POST(path, { params, body: { force }, ...abort }));
  }
  const { resource, revision, action, public_id } = goal.change;
  if (resource === "token") throw new Error("a token does not come back");
  // After a deletion there is nothing; the state before it comes back.
  const body = action === "delete" ? { force } : { revision, force };
  if (resource === "setting") {
    const params = { path: settingOf(goal.change), query };
    return versionedOf(client.POST(`${SETTING}/restore`, { params, body, ...abort }));
  }
  const params = { path: { public_id: public_id ?? 0 }, query };
  return versionedOf(client.POST(`${RECORDS[resource]}/restore`, { params, body, ...abort }));
}

/** Any record may come back or go. */
export const goBackMutation = mutationOptions({
  mutationFn: (way: GoBack): Promise<Versioned<unknown>> => goBackTo(way, false),
  meta: { invalidates: [EVERYTHING] },
});

/** What going back would do. A 409 lists what it would overwrite. */
export const wayBackQuery = (way: GoBack) =>
  queryOptions({
    queryKey: [...HISTORY, "way-back", way],
    queryFn: async ({ signal }): Promise<Effects> => {
      const { data } = await goBackTo(way, true, signal);
      return data.effects ?? { changes: [], total: 0, dangling_references: 0 };
    },
    staleTime: 0,
  });
