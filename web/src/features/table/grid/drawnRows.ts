import type { RowAt } from "../useRows";
import type { Cursor } from "./useCursor";

interface Props {
  screen: { first: number; last: number };
  cursor: Pick<Cursor, "row" | "object">;
  /** The number of rows; it may be older than they are. */
  count: number;
  rowAt: RowAt;
}

/**
 * The rows that are elements, by position. They keep their elements, and what is typed in them,
 * wherever they move; that of the cursor stays, or the focus would be lost.
 */
export function drawnRows({ screen, cursor, count, rowAt }: Props) {
  // An object may be twice in the list as long as one of its pages is older than another one.
  const used = new Set<number>();
  return positionsOf({ screen, cursor, count, rowAt }).map((index) => {
    const isCursor = index === cursor.row && cursor.object !== undefined;
    // Also an object that is gone keeps its element, and with it the focus.
    const id = isCursor ? cursor.object?.id : rowAt(index)?.id;
    const isOther = id === cursor.object?.id && !isCursor;
    const isTaken = id === undefined || isOther || used.has(id);
    if (!isTaken) used.add(id);
    return { index, key: isTaken ? `row ${index}` : `object ${id}` };
  });
}

function positionsOf({ screen: { first, last }, cursor: { row }, count, rowAt }: Props) {
  const rows = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isThere = row < count || rowAt(row) !== undefined;
  if (!isThere || (first <= row && row <= last)) return rows;
  return row < first ? [row, ...rows] : [...rows, row];
}
