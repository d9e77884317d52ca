import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { PAGE_ROWS, rowsQuery } from "~/api/rows";
import type { Row } from "~/model/row";
import type { View } from "~/model/view";

/** How many objects match, once it is known what to show; the last known number while a new one is on its way. */
export function useTotal(view: View, isKnown: boolean) {
  return useQuery({ ...rowsQuery(view, 1), placeholderData: keepPreviousData, enabled: isKnown });
}

/** The row at a position; nothing while it is on its way. */
export type RowAt = (position: number) => Row | undefined;

/** The rows from `first` to `last`. Until those of another list are here, the ones before stay. */
export function useRows(view: View, first: number, last: number): RowAt {
  const from = pageOf(first);
  const to = pageOf(last);
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const answers = useQueries({
    queries: numbers.map((page) => rowsQuery(view, page)),
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
