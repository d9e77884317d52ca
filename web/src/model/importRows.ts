/** The rows of a file with what is wrong in them, and the repairs that a person types. */

import type { ImportColumn, ImportRow } from "~/api/records";
import { parseJson } from "./json";

export interface RowRepair {
  row: number;
  cells: Record<string, unknown>;
}

export interface ShownCell {
  column: string;
  text: string;
  /** What is wrong with this cell. */
  problems: readonly string[];
  /** The server shows the beginning of long texts, which must not be written back. */
  isCut: boolean;
}

export interface ShownRow {
  row: number;
  status: ImportRow["status"];
  object: number | null;
  cells: readonly ShownCell[];
  /** What is wrong with the row as a whole. */
  problems: readonly string[];
}

/** The characters of a cell that the server shows. */
const SHOWN_CHARACTERS = 1_000;

/** Puts each problem at its cell. What names no column of the file concerns the row. */
export function shownRow(row: ImportRow, columns: readonly string[]): ShownRow {
  const cells = columns.map((column, index) => {
    const text = textOf(row.cells[index]);
    return {
      column,
      text,
      problems: row.problems.filter((problem) => problem.column === column).map(detailOf),
      isCut: text.length >= SHOWN_CHARACTERS,
    };
  });
  const { row: number, status, object } = row;
  const problems = row.problems
    .filter(({ column }) => column === null || !columns.includes(column))
    .map(detailOf);
  return { row: number, status, object, cells, problems };
}

function detailOf({ detail }: ImportRow["problems"][number]): string {
  return detail;
}

export function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Whether the row can be repaired and done again. */
export function isRefused({ status }: Pick<ShownRow, "status">): boolean {
  return status === "error" || status === "duplicate";
}

/** Texts that were typed, by row and column. */
export type Repairs = ReadonlyMap<number, ReadonlyMap<string, string>>;

export const NO_REPAIRS: Repairs = new Map();

/** Notes a text. The text that the file has anyway is no repair. */
export function withRepair(
  repairs: Repairs,
  row: ShownRow,
  cell: ShownCell,
  text: string,
): Repairs {
  const cells = new Map(repairs.get(row.row));
  if (text === cell.text) cells.delete(cell.column);
  else cells.set(cell.column, text);
  const next = new Map(repairs);
  if (cells.size === 0) next.delete(row.row);
  else next.set(row.row, cells);
  return next;
}

/** What to send. Tables hold texts; the values of JSON have types. */
export function repairsToSend(
  repairs: Repairs,
  columns: readonly ImportColumn[],
  format: string,
): RowRepair[] {
  const isTable = format === "csv" || format === "xlsx";
  const looks = new Map(columns.map((column) => [column.name, column.looks]));
  const sentValue = (column: string, text: string) => {
    if (text === "") return null;
    return isTable ? text : typed(text, looks.get(column));
  };
  return [...repairs].map(([row, cells]) => ({
    row,
    cells: Object.fromEntries(
      [...cells].map(([column, text]) => [column, sentValue(column, text)] as const),
    ),
  }));
}

const TYPED_LOOKS: readonly (string | undefined)[] = ["integer", "number", "boolean"];

function typed(text: string, looks: string | undefined): unknown {
  const trimmed = text.trim();
  const isNested = /^[[{]/.test(trimmed);
  const isPlain = TYPED_LOOKS.includes(looks) && /^(-?\d|true$|false$)/.test(trimmed);
  if (!isNested && !isPlain) return text;
  try {
    return parseJson(trimmed);
  } catch {
    return text;
  }
}

/** Lists of at most so many, in their order. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size));
  }
  return chunks;
}
