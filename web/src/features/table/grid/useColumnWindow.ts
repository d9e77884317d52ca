import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useMemo } from "react";
import type { Column } from "../columns";

/** Fewer columns are all elements: that costs less than to follow the scrolling. */
const FEW_COLUMNS = 12;
const OVERSCAN = 3;

interface Props {
  scroller: RefObject<HTMLDivElement | null>;
  columns: readonly Column[];
  /** The width before the first column. */
  before: number;
  /** How many of the first columns are always there. */
  pinned: number;
  /** The columns with the focus and the editor stay elements, or both would be lost. */
  kept: readonly (number | undefined)[];
}

/** The columns that are elements, by their positions: those on the screen and around it. */
export function useColumnWindow({ scroller, columns, before, pinned, kept }: Props) {
  const isWindowed = columns.length > FEW_COLUMNS;
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => columns[index]?.width ?? 0,
    // Another width, order or choice of columns is another list.
    getItemKey: (index) => `${columns[index]?.path} ${columns[index]?.width}`,
    paddingStart: before,
    overscan: OVERSCAN,
    enabled: isWindowed,
  });
  const reveal = (column: number) => isWindowed && virtualizer.scrollToIndex(column);
  const shown = new Set(isWindowed ? virtualizer.getVirtualItems().map(({ index }) => index) : []);
  for (let index = 0; index < (isWindowed ? pinned : columns.length); index += 1) shown.add(index);
  for (const index of kept) if (index !== undefined && index < columns.length) shown.add(index);
  const key = [...shown].sort((left, right) => left - right).join(" ");
  // The same list as long as it has the same columns, so that rows need not be drawn again.
  const positions = useMemo(() => (key === "" ? [] : key.split(" ").map(Number)), [key]);
  return { positions, reveal };
}
