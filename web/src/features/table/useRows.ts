import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { rowsQuery } from "~/api/queries";
import { filterOf } from "~/model/filter";
import type { Row } from "~/model/row";
import type { View } from "~/model/view";

export const PAGE_ROWS = 50;

/** The list of a view, as parameters of the API. */
export function listParameters(view: View) {
  const filter = filterOf(view);
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(view.sort ? { sort: view.sort.path, order: view.sort.descending ? -1 : 1 } : {}),
  };
}

/** How many objects match, once it is known what to show; the last known number while a new one is on its way. */
export function useTotal(view: View, isKnown: boolean) {
  const query = { ...listParameters(view), limit: PAGE_ROWS, page: 1 };
  return useQuery({ ...rowsQuery(query), placeholderData: keepPreviousData, enabled: isKnown });
}

/** The row at a position; nothing while it is on its way. */
export type RowAt = (position: number) => Row | undefined;

/** The rows from `first` to `last`. Until those of another list are here, the ones before stay. */
export function useRows(view: View, first: number, last: number): RowAt {
  const from = pageOf(first);
  const to = pageOf(last);
  const parameters = useMemo(() => listParameters(view), [view]);
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const answers = useQueries({
    queries: numbers.map((page) => rowsQuery({ ...parameters, limit: PAGE_ROWS, page })),
  });
  const pages = new Map(numbers.map((page, index) => [page, answers[index]?.data]));
  const before = useRef<{ type: number | undefined; pages: typeof pages }>(undefined);
  useEffect(() => {
    if (answers.every(({ data }) => data)) before.current = { type: view.type, pages };
  });
  const old = before.current?.type === view.type ? before.current?.pages : undefined;
  return (position) => {
    const page = pageOf(position);
    const shown = pages.get(page) ?? old?.get(page);
    return shown?.results[position - (page - 1) * PAGE_ROWS];
  };
}

function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS) + 1;
}
