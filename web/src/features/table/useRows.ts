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

export interface Rows {
  rowAt: RowAt;
  /** Where an object is among the rows that are here, as near as possible to a position. */
  positionOf: (id: number, near: number) => number | undefined;
  /** Whether the rows around a position are here. */
  isLoaded: (position: number) => boolean;
}

/**
 * The rows from `first` to `last`, and those around `kept`. Until those of another list are here,
 * the ones before stay.
 */
export function useRows(view: View, first: number, last: number, kept: number): Rows {
  const from = pageOf(first);
  const to = pageOf(last);
  const around = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const numbers = [...new Set([...around, pageOf(kept)])];
  const answers = useQueries({
    queries: numbers.map((page) => rowsQuery(view, page)),
  });
  const pages = new Map(numbers.map((page, index) => [page, answers[index]?.data]));
  const before = useRef<{ type: number | undefined; pages: typeof pages }>(undefined);
  useEffect(() => {
    if (answers.every(({ data }) => data)) before.current = { type: view.type, pages };
  });
  const old = before.current?.type === view.type ? before.current?.pages : undefined;
  const rowsOf = (page: number) => (pages.get(page) ?? old?.get(page))?.results;
  return {
    rowAt: (position) => {
      const page = pageOf(position);
      return rowsOf(page)?.[position - startOf(page)];
    },
    positionOf: (id, near) => {
      const positions = numbers.flatMap((page) =>
        (rowsOf(page) ?? []).flatMap((row, index) => (row.id === id ? startOf(page) + index : [])),
      );
      return positions.sort((left, right) => Math.abs(left - near) - Math.abs(right - near))[0];
    },
    isLoaded: (position) => rowsOf(pageOf(position)) !== undefined,
  };
}

function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS) + 1;
}

function startOf(page: number): number {
  return (page - 1) * PAGE_ROWS;
}
