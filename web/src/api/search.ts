/** Full-text search. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { SearchResults } from "./records";

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
