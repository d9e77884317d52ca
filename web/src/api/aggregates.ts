/** How many objects there are, by type or by value. */
import { queryOptions } from "@tanstack/react-query";
import { readFilter } from "~/model/filter";
import { client, dataOf } from "./client";
import { objectKeys } from "./objects";

export const countsKey = ["counts"] as const;

/** More types than this have no counts in the tree. */
const COUNTED_TYPES = 1_000;
const COUNTS_FRESH_MS = 15_000;

/** How many objects of each type the caller may see. */
export const countsQuery = queryOptions({
  queryKey: countsKey,
  queryFn: async ({ signal }): Promise<Map<number, number>> => {
    const body = { group_by: [{ field: "type_id" }], limit: COUNTED_TYPES };
    const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
    return new Map(counted.results.map(({ key, count }) => [Number(key[0]), count]));
  },
  staleTime: COUNTS_FRESH_MS,
});

const FACETS_SHOWN = 200;

/** How many objects have each value of a field. */
export const facetsQuery = (path: string, filter: string | undefined) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "facets", path, filter],
    queryFn: async ({ signal }): Promise<Map<string, number>> => {
      const body = {
        group_by: [{ field: path }],
        limit: FACETS_SHOWN,
        ...(filter === undefined ? {} : { filter: readFilter(filter) }),
      };
      const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
      return new Map(counted.results.map(({ key, count }) => [String(key[0] ?? ""), count]));
    },
  });

/** Nobody chooses from a longer list. */
export const MOST_OPTIONS = 100;

/** The texts that objects of a type have in a field, sorted; null if there are too many. */
export const valuesQuery = (type: number, field: string) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "values", type, field],
    queryFn: async ({ signal }): Promise<string[] | null> => {
      // One more tells that there are too many, and objects without a value are a group, too.
      const limit = MOST_OPTIONS + 2;
      const group_by = [{ field: `fields.${field}` }];
      const body = { filter: { type_id: type }, group_by, limit };
      const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
      const keys = counted.results.map(({ key }) => key[0]);
      const values = keys.filter((key) => typeof key === "string" && key !== "") as string[];
      return values.length > MOST_OPTIONS ? null : values.toSorted((a, b) => a.localeCompare(b));
    },
    staleTime: 0,
  });
