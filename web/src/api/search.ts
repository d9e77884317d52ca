/** Full-text search. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { InventoryObject, SearchResults } from "./types";

const SUGGESTED = 12;

/** The best results, while somebody types. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", "suggestions", text],
    queryFn: ({ signal }): Promise<SearchResults> => {
      const params = { query: { q: text, limit: SUGGESTED } };
      return dataOf(client.GET("/rest/search", { params, signal }));
    },
  });

const PAGE_SIZE = 50;

/** All results, page after page. */
export const resultsQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ["search", "results", text],
    queryFn: ({ pageParam: after, signal }): Promise<SearchResults> => {
      const params = { query: { q: text, limit: PAGE_SIZE, ...(after === "" ? {} : { after }) } };
      return dataOf(client.GET("/rest/search", { params, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.pager.after,
  });

/** Those of these objects that the caller may see. */
export const objectsOfIdsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ["objects", "ids", ids],
    queryFn: async ({ signal }): Promise<InventoryObject[]> => {
      const filter = JSON.stringify({ public_id: { $in: ids } });
      const query = { filter, limit: ids.length, total: false };
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return page.results as InventoryObject[];
    },
    enabled: ids.length > 0,
  });
