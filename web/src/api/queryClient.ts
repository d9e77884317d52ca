/** What was read from the server. */
import { QueryClient } from "@tanstack/react-query";
import { problemOf } from "./problem";

const RETRIES = 2;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refused, it will refuse again.
      retry: (failures, error) => problemOf(error).status === 0 && failures < RETRIES,
      staleTime: 2_000,
    },
  },
});
