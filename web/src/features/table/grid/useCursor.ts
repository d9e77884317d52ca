import { useQuery } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useState } from "react";
import { rowQuery } from "~/api/rows";
import { type Cell, type Range, rangeOf } from "~/model/cellRange";
import type { Row } from "~/model/row";
import type { Column } from "../columns";
import type { RowAt, Rows } from "../useRows";

/** More rows of a range are never written at once, so they are not compared. */
const MOST_COMPARED = 500;

/** The cell that somebody is at, with what it belongs to: rows and columns may move below it. */
export interface Cursor extends Cell {
  /** Nothing as long as nobody was in the grid, or the row is on its way. */
  object: Row | undefined;
  path: string | undefined;
  isPlaced: boolean;
  /** Whether the list has no row of the object where it was, so that it is shown besides. */
  isHeld: boolean;
}

export const START: Cursor = {
  row: 0,
  column: 0,
  object: undefined,
  path: undefined,
  isPlaced: false,
  isHeld: false,
};

/** The cell at which a range begins, and what is in the range. */
interface Anchor extends Cell {
  id: number | undefined;
  size: number;
  rows: readonly (number | undefined)[];
  columns: readonly Column[];
}

interface Props {
  grid: RefObject<HTMLElement | null>;
  /** The state is that of the caller, because it decides which rows are read. */
  cursor: Cursor;
  setCursor: (cursor: Cursor) => void;
  listKey: string;
  columns: readonly Column[];
  rows: Rows;
}

/** Follows the object of the cursor, and those of a range, whatever a reload does to the rows. */
export function useCursor({ grid, cursor, setCursor, listKey, columns, rows }: Props) {
  const [anchor, setAnchor] = useState<Anchor>();
  const [editing, setEditing] = useState<{ typed: string | undefined }>();
  const [shownList, setShownList] = useState(listKey);
  const shown = useHeldRow(cursor, editing !== undefined, rows);
  const range = anchor && rangeFrom(anchor, cursor, shown.positionOf);
  const reset = (next: Cursor) => {
    setCursor(next);
    setAnchor(undefined);
    setEditing(undefined);
  };
  if (shownList !== listKey) {
    setShownList(listKey);
    reset({ ...START, column: cursor.column });
  } else {
    const next = followed(cursor, columns, rows);
    const isWhole = !anchor || !range || isSameRange(anchor, range, columns, shown.rowAt);
    if (next !== cursor) setCursor(next);
    else if (!isWhole) setAnchor(undefined);
    // The column of the editor is gone.
    if (editing && next.path !== cursor.path) setEditing(undefined);
  }
  // Who is elsewhere needs no row that the list does not have.
  useLayoutEffect(() => {
    const isHere = grid.current?.contains(document.activeElement);
    if (cursor.isHeld && !editing && !isHere) setCursor({ ...START, column: cursor.column });
  });
  const place = (to: Cell) =>
    setCursor({
      ...to,
      object: to.row === cursor.row && cursor.object ? cursor.object : shown.rowAt(to.row),
      path: columns[to.column]?.path,
      isPlaced: true,
      isHeld: cursor.isHeld && to.row === cursor.row,
    });
  const extend = (to: Cell) => {
    const from = anchor ?? { ...cursor, id: cursor.object?.id };
    const next = rangeFrom(from, to, shown.positionOf);
    const ids = idsOf(next, shown.rowAt);
    const { row, column, id } = from;
    setAnchor({ row, column, id, size: sizeOf(next), rows: ids, columns });
  };
  return {
    rowAt: shown.rowAt,
    range: range ?? rangeOf(cursor, cursor),
    hasRange: range !== undefined,
    editing,
    move: (to: Cell, extends_: boolean) => {
      setEditing(undefined);
      if (extends_) extend(to);
      else setAnchor(undefined);
      place(to);
    },
    /** Somebody came into the grid. */
    enter: () => {
      if (!cursor.isPlaced) place(cursor);
    },
    /** Begins with the text that was typed, or with the value. */
    edit: (typed?: string) => setEditing({ typed }),
    endEdit: () => setEditing(undefined),
    clearRange: () => setAnchor(undefined),
  };
}

/** The cursor where its object and its column are now. */
function followed(cursor: Cursor, columns: readonly Column[], rows: Rows): Cursor {
  if (!cursor.isPlaced) return cursor;
  const known = cursor.object ?? rows.rowAt(cursor.row);
  const found = known && rows.positionOf(known.id, cursor.row);
  const row = found ?? cursor.row;
  const object = found === undefined ? known : rows.rowAt(found);
  const isHeld = known !== undefined && found === undefined && rows.isLoaded(cursor.row);
  const index = columns.findIndex(({ path }) => path === cursor.path);
  const column = index < 0 ? Math.max(0, Math.min(cursor.column, columns.length - 1)) : index;
  const next = { row, column, object, path: columns[column]?.path, isPlaced: true, isHeld };
  const names = Object.keys(next) as (keyof Cursor)[];
  return names.every((name) => next[name] === cursor[name]) ? cursor : next;
}

/** The rows of the list, and that of the cursor at its place if the list has none. */
function useHeldRow({ object, row, isHeld }: Cursor, isEditing: boolean, rows: Rows) {
  const fresh = useQuery({ ...rowQuery(object?.id ?? 0), enabled: isHeld }).data;
  // Of an object that is gone, only what is typed stays; saving that will say what happened.
  const isGone = fresh === null && !isEditing;
  const held = isGone ? undefined : (fresh ?? object);
  const rowAt: RowAt = (position) => {
    if (!isHeld || position < row) return rows.rowAt(position);
    return position === row ? held : rows.rowAt(position - 1);
  };
  const positionOf: Rows["positionOf"] = (id, near) => {
    if (isHeld && id === object?.id) return row;
    const position = rows.positionOf(id, near);
    return position !== undefined && isHeld && position >= row ? position + 1 : position;
  };
  return { rowAt, positionOf };
}

/** The range to a cell, wherever the row of its anchor is now. */
function rangeFrom(
  { row, column, id }: Pick<Anchor, "row" | "column" | "id">,
  to: Cell,
  positionOf: Rows["positionOf"],
): Range {
  const found = id === undefined ? undefined : positionOf(id, row);
  return rangeOf({ row: found ?? row, column }, to);
}

/** Whether a range has the rows and columns that it had when somebody made it. */
function isSameRange(
  { size, rows: before, columns: columnsBefore }: Anchor,
  range: Range,
  columns: readonly Column[],
  rowAt: RowAt,
): boolean {
  const rows = idsOf(range, rowAt);
  // What is not here was not compared, and is not written either.
  const isSame = (id: number | undefined, index: number) =>
    id === undefined || rows[index] === undefined || id === rows[index];
  return columnsBefore === columns && size === sizeOf(range) && before.every(isSame);
}

function sizeOf({ top, bottom }: Range): number {
  return bottom - top + 1;
}

function idsOf(range: Range, rowAt: RowAt): (number | undefined)[] {
  const length = Math.min(sizeOf(range), MOST_COMPARED);
  return Array.from({ length }, (_, index) => rowAt(range.top + index)?.id);
}
