/** What refers to an object, type by type. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type Pointing, redirection } from "~/model/references";
import { batch } from "./batch";
import { client, dataOf, type Versioned } from "./client";
import { objectKeys, past } from "./objects";
import type { InventoryObject, Page, ReferenceTitles } from "./records";

interface ListQuery {
  filter: string;
  limit: number;
  sort: string;
  page?: number;
  labels?: boolean;
}

async function referrers(
  id: number,
  query: ListQuery,
  asOf: string | undefined,
  signal: AbortSignal,
) {
  const params = { path: { public_id: id }, query: { ...query, ...past(asOf) } };
  const page = await dataOf(client.GET("/rest/objects/{public_id}/references", { params, signal }));
  const results = page.results as InventoryObject[];
  return { results, total: page.total ?? 0, titles: (page.labels ?? {}) as ReferenceTitles };
}

const REFERENCES_SHOWN = 100;

/** Some of those that refer to an object. */
export const referencesQuery = (id: number) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "references"],
    queryFn: async ({ signal }): Promise<Page<InventoryObject>> => {
      const params = {
        path: { public_id: id },
        query: { limit: REFERENCES_SHOWN, sort: "type_id" },
      };
      const page = await dataOf(
        client.GET("/rest/objects/{public_id}/references", { params, signal }),
      );
      return { results: page.results as InventoryObject[], total: page.total ?? 0 };
    },
  });

/** How many objects of a type refer to an object. */
export interface ReferrerCount {
  type: number;
  count: number;
}

/** More types than this are not listed. */
const MOST_TYPES = 100;

/**
 * The types of the objects that refer to an object. One request for each: the list without the
 * types that are known already begins with the next one, and its total tells how many they have.
 */
export const referrerCountsQuery = (id: number, asOf: string | undefined) =>
  queryOptions({
    queryKey: [...objectKeys.one(id), "referrers", asOf],
    queryFn: async ({ signal }): Promise<ReferrerCount[]> => {
      const counts: ReferrerCount[] = [];
      let left = 0;
      for (let last = 0; counts.length < MOST_TYPES; ) {
        const filter = JSON.stringify({ type_id: { $gt: last } });
        const query = { filter, limit: 1, sort: "type_id" };
        const { results, total } = await referrers(id, query, asOf, signal);
        const before = counts.at(-1);
        if (before) before.count = left - total;
        const [next] = results;
        if (!next) break;
        left = total;
        last = next.type_id;
        counts.push({ type: last, count: total });
      }
      return counts;
    },
  });

const REFERRERS_SHOWN = 24;

/** The objects of one type that refer to an object, page after page. */
export const referrersQuery = (id: number, type: number, asOf: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...objectKeys.one(id), "referrers", asOf, type],
    queryFn: ({ pageParam, signal }) => {
      const filter = JSON.stringify({ type_id: type });
      const limit = REFERRERS_SHOWN;
      const query = { filter, limit, sort: "public_id", page: pageParam, labels: true };
      return referrers(id, query, asOf, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, _, page) => (page * REFERRERS_SHOWN < total ? page + 1 : null),
  });

/** More referring objects than this are not changed at once. A batch has 1,000 operations at most. */
export const MOST_MOVED = 500;

/**
 * Deletes an object and lets all that refers to it point to another one: all or nothing. Objects
 * that the caller does not see refuse it, and so do those that changed meanwhile.
 */
export async function replaceObject(
  id: number,
  target: number,
  isReference: Pointing["isReference"],
): Promise<Versioned<unknown>> {
  const query = { limit: MOST_MOVED, sort: "public_id" };
  const params = { path: { public_id: id }, query, header: { Prefer: "revisions" } };
  const page = await dataOf(client.GET("/rest/objects/{public_id}/references", { params }));
  const referrers = page.results as InventoryObject[];
  return batch(redirection(referrers, { id, target, isReference }));
}
