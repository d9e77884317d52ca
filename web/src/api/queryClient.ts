/** What was read from the server, and what a write makes old. */
import { MutationCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { problemOf } from "./problem";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** What is read again once the write is done. */
      invalidates?: readonly QueryKey[];
      /** Whether it is read again after a refusal, too: the screen was ahead, or is out of date. */
      evenIfRefused?: boolean;
      /** What is forgotten once the write is done, as it is not there any more. */
      removes?: readonly QueryKey[];
    };
  }
}

/** The key that all others begin with. */
export const EVERYTHING: QueryKey = [];

const RETRIES = 2;

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refused, it will refuse again.
      retry: (failures, error) => problemOf(error).status === 0 && failures < RETRIES,
      staleTime: 2_000,
    },
  },
  mutationCache: new MutationCache({
    // After the screen has shown that it is done: it may have left what is removed.
    onSettled: async (_data, error, _variables, _context, { meta }) => {
      if (error && !meta?.evenIfRefused) return;
      if (!error) for (const queryKey of meta?.removes ?? []) queries.removeQueries({ queryKey });
      const keys = meta?.invalidates ?? [];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  }),
});
