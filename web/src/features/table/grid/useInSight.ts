import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Cursor } from "./useCursor";
import type { useRowWindow } from "./useRowWindow";

/** An object that moves while somebody is at it stays on the screen. */
export function useInSight(
  grid: RefObject<HTMLElement | null>,
  { row, object }: Cursor,
  { first, last, reveal }: ReturnType<typeof useRowWindow>,
) {
  const id = object?.id;
  const before = useRef({ id, row });
  useLayoutEffect(() => {
    const { id: idBefore, row: rowBefore } = before.current;
    before.current = { id, row };
    const wasShown = first <= rowBefore && rowBefore <= last;
    const isHere = grid.current?.contains(document.activeElement);
    if (id === idBefore && row !== rowBefore && wasShown && isHere) reveal(row);
  });
}
