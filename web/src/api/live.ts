/** What is changed elsewhere while the page is open. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import { problemOf } from "./problem";
import type { Change } from "./records";

/** A request stays open for so long if nothing happens. */
const WAIT_S = 25;
const PAGE = 500;
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** Calls `onChanges` with the changes from now on, until the signal. */
export async function followChanges(
  signal: AbortSignal,
  onChanges: (changes: readonly Change[]) => void,
): Promise<void> {
  let after = "now";
  while (!signal.aborted) {
    try {
      const params = { query: { after, wait: after === "now" ? 0 : WAIT_S, limit: PAGE } };
      const page = await dataOf(client.GET("/rest/changes", { params, signal }));
      after = page.pager?.after ?? after;
      if (page.results.length > 0) onChanges(page.results);
    } catch (error) {
      // The database lost the last change that this page has seen.
      if (problemOf(error).status === 410) after = "now";
      // The next answer tells what was missed meanwhile.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  }
}

/** What was done elsewhere to an object while the page was open. */
export interface ForeignChange {
  actor: number;
  at: string;
  /** A moment ago. */
  isFresh: boolean;
}

/** The last change of each object that was changed elsewhere meanwhile. */
export const changedQuery = queryOptions({
  queryKey: ["changed"],
  queryFn: (): ReadonlyMap<number, ForeignChange> => new Map(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});
