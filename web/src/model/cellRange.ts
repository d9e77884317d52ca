/** The active cell of a table, and the range of cells from an anchor to it. */

export interface Cell {
  row: number;
  column: number;
}

export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The cells between two corners, both included. */
export function rangeOf(anchor: Cell, active: Cell): Range {
  return {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

export function isInRange({ row, column }: Cell, range: Range): boolean {
  const isRow = range.top <= row && row <= range.bottom;
  return isRow && range.left <= column && column <= range.right;
}

/** The cell that a key leads to; nothing if the key leads nowhere. */
export function moved(
  { row, column }: Cell,
  key: string,
  withMod: boolean,
  size: { rows: number; columns: number; page: number },
): Cell | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const to = (row: number, column: number): Cell => ({
    row: Math.max(0, Math.min(last.row, row)),
    column: Math.max(0, Math.min(last.column, column)),
  });
  switch (key) {
    case "ArrowUp":
    case "k":
      return to(withMod ? 0 : row - 1, column);
    case "ArrowDown":
    case "j":
      return to(withMod ? last.row : row + 1, column);
    case "ArrowLeft":
      return to(row, withMod ? 0 : column - 1);
    case "ArrowRight":
      return to(row, withMod ? last.column : column + 1);
    case "Home":
      return to(withMod ? 0 : row, 0);
    case "End":
      return to(withMod ? last.row : row, last.column);
    case "PageUp":
      return to(row - size.page, column);
    case "PageDown":
      return to(row + size.page, column);
    default:
      return undefined;
  }
}
