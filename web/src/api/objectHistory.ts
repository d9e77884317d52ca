/** The history of one object: its changes, its earlier states, and ways back to them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Moment } from "~/model/moment";
import { client, dataOf, versionedOf } from "./client";
import { objectKeys, objectQuery } from "./objects";
import type { Change, RenderedObject } from "./records";

const CHANGES_SHOWN = 25;
/** Restorations are seen as changes of others are: this only spares the server while rows scroll. */
const DELETION_FRESH_MS = 60_000;
/** The server lists no more conflicts than this. */
const MOST_CONFLICTS = 100;

async function changesOf(
  id: number,
  query: { filter?: string; limit: number; after?: string },
  signal: AbortSignal,
) {
  const params = { path: { public_id: id }, query };
  const page = await dataOf(client.GET("/rest/objects/{public_id}/history", { params, signal }));
  return { results: page.results, next: page.pager?.after ?? null };
}

/** The changes of an object, the newest first. Deleted objects have some, too. */
export const objectHistoryQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: [...objectKeys.one(id), "history"],
    queryFn: ({ pageParam, signal }) =>
      changesOf(id, { limit: CHANGES_SHOWN, after: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** The deletion of an object, with what it took away; null if the object is there. */
export const deletionQuery = (id: number) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "deletion"],
    queryFn: async ({ signal }): Promise<Change | null> => {
      const [last] = (await changesOf(id, { limit: 1 }, signal)).results;
      return last?.action === "delete" ? last : null;
    },
    staleTime: DELETION_FRESH_MS,
  });

/** The newest change that matches a filter; null if there is none. */
const changeQuery = (id: number, condition: Record<string, unknown>) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "change", condition],
    queryFn: async ({ signal }): Promise<Change | null> => {
      const query = { filter: JSON.stringify(condition), limit: 1 };
      return (await changesOf(id, query, signal)).results[0] ?? null;
    },
  });

/** The change that led to the state at a moment. */
export const changeAtQuery = (id: number, moment: Moment) =>
  changeQuery(
    id,
    "revision" in moment ? { revision: moment.revision } : { at: { $lte: moment.asOf } },
  );

/** The last change before a revision. */
export const changeBeforeQuery = (id: number, revision: number) =>
  changeQuery(id, { revision: { $lt: revision } });

/** The first change after a revision. */
export const changeAfterQuery = (id: number, revision: number) =>
  changeQuery(id, { revision: revision + 1 });

/** What changes to these revisions changed, the newest first. */
export const changesToQuery = (id: number, revisions: readonly number[]) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "changes", revisions],
    queryFn: async ({ signal }): Promise<Change[]> => {
      const filter = JSON.stringify({ revision: { $in: revisions } });
      return (await changesOf(id, { filter, limit: MOST_CONFLICTS }, signal)).results;
    },
  });

/** An object as it is, or as it was at a moment. */
export const objectAtQuery = (id: number, moment: Moment | undefined) =>
  moment === undefined
    ? objectQuery(id)
    : queryOptions({
        ...objectQuery(id),
        queryKey: [...objectKeys.one(id), "revision" in moment ? moment.revision : moment.asOf],
        queryFn: ({ signal }) => pastObject(id, moment, signal),
      });

async function pastObject(
  id: number,
  moment: Moment,
  signal: AbortSignal,
): Promise<RenderedObject> {
  if ("asOf" in moment) {
    const params = { path: { public_id: id }, query: { as_of: moment.asOf } };
    return dataOf(client.GET("/rest/objects/{public_id}", { params, signal }));
  }
  const path = { public_id: id, revision: moment.revision };
  const params = { path, query: { view: "render" as const } };
  const past = await dataOf(
    client.GET("/rest/objects/{public_id}/history/{revision}", { params, signal }),
  );
  // `view` decides which of both it is.
  return past as RenderedObject;
}

/** What to restore of an object. */
export interface Restoration {
  /** The state right after the change that led to this revision. */
  revision: number;
  /** Only these fields, by name. */
  fields?: string[];
}

export interface Restored {
  warnings: readonly string[];
  /** The one that the object has now; the same as before if nothing differed. */
  revision: string;
  requestId: string;
}

/** Restores a state. The server refuses to overwrite later changes unless it is forced to. */
export async function restoreObject(
  id: number,
  restoration: Restoration,
  force: boolean,
): Promise<Restored> {
  const params = { path: { public_id: id } };
  const body = { ...restoration, force };
  const { data, revision, requestId } = await versionedOf(
    client.POST("/rest/objects/{public_id}/restore", { params, body }),
  );
  const warnings = (data.warnings ?? []).map(({ detail }) => detail);
  return { warnings, revision, requestId };
}
