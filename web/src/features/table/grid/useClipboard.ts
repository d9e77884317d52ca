import type { ClipboardEvent } from "react";
import { undoStack, useUndoable } from "~/actions/useUndoable";
import { batch } from "~/api/batch";
import { problemOf } from "~/api/problem";
import type { Operation } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { unfitText } from "~/kinds/unfit";
import type { Range } from "~/model/cellRange";
import { fromClipboard, toClipboard } from "~/model/clipboard";
import { isSame } from "~/model/draft";
import type { Row } from "~/model/row";
import { toastFailure } from "~/ui/Toasts";
import type { Column } from "../columns";
import type { RowAt } from "../useRows";
import { isEditable } from "./useCellEdits";

/** More rows are a matter of an import or a change of many objects. */
const MOST_ROWS = 500;

interface Props {
  columns: readonly Column[];
  rowAt: RowAt;
  range: Range;
  mayEdit: (type: number) => boolean;
  /** How many rows there are. */
  total: number;
}

/** What is written to a row. */
interface RowEdit {
  row: Row | undefined;
  fields: { name: string; value: unknown }[];
  /** How many cells it cannot take. */
  leftOut: number;
  /** What is wrong with a cell. */
  unfit: string | undefined;
}

/** Copies cells to a spreadsheet and back. What is pasted is written whole or not at all. */
export function useClipboard({ columns, rowAt, range, mayEdit, total }: Props) {
  const { texts } = useLocale();
  const undoable = useUndoable();

  const textOf = (row: Row | undefined, column: Column | undefined): string => {
    if (!row || !column) return "";
    if (!column.field) return column.path === "public_id" ? String(row.id) : "";
    return kindOf(column.field).format(row.values.get(column.field.name), column.field);
  };
  /** Nothing if some of the rows were never loaded. */
  const cells = (): string[][] | undefined => {
    const rows = positions(range.top, Math.min(range.bottom, range.top + MOST_ROWS)).map(rowAt);
    if (rows.length > MOST_ROWS || rows.includes(undefined)) {
      toastFailure(texts.table.notLoaded);
      return undefined;
    }
    return rows.map((row) =>
      positions(range.left, range.right).map((column) => textOf(row, columns[column])),
    );
  };

  const write = async (pasted: readonly (readonly string[])[], top: number, left: number) => {
    if (pasted.length > MOST_ROWS) return toastFailure(texts.table.tooManyRows(MOST_ROWS));
    const isHere = (offset: number) => top + offset >= total || rowAt(top + offset) !== undefined;
    if (!pasted.every((_, offset) => isHere(offset))) {
      return toastFailure(texts.table.rowsNotLoaded);
    }
    const edits = pasted.map((cells, offset) => pastedInto(rowAt(top + offset), cells, left));
    const unfit = edits.find((edit) => edit.unfit !== undefined)?.unfit;
    if (unfit !== undefined) return toastFailure(unfit);
    if (!(await send(edits))) return;
    const leftOut = edits.reduce((sum, edit) => sum + edit.leftOut, 0);
    if (leftOut > 0) toastFailure(texts.table.leftOut(leftOut));
  };
  /** Answers false if nothing could be written. */
  const send = async (edits: readonly RowEdit[]): Promise<boolean> => {
    const operations = edits.flatMap(operationOf);
    if (operations.length === 0) return true;
    try {
      const { requestId } = await batch(operations);
      await undoable(texts.table.pasted(operations.length), requestId);
    } catch (error) {
      toastFailure(refusal(error, operations));
      return false;
    }
    return true;
  };
  const fieldAt = (row: Row, at: number) => {
    const column = columns[at];
    const isOpen = column !== undefined && mayEdit(row.type) && isEditable(column, row);
    return isOpen ? column.field : undefined;
  };
  const pastedInto = (row: Row | undefined, cells: readonly string[], left: number): RowEdit => {
    const edit: RowEdit = { row, fields: [], leftOut: 0, unfit: undefined };
    for (const [offset, text] of cells.entries()) {
      // What the cell shows already says nothing new, and may be shorter than its value.
      if (row && text === textOf(row, columns[left + offset])) continue;
      const field = row && fieldAt(row, left + offset);
      if (!field) {
        edit.leftOut += 1;
        continue;
      }
      const value = kindOf(field).parse(text, field);
      const unfit = unfitText(field, value, texts);
      if (unfit !== undefined) edit.unfit ??= `#${row.id}, ${field.label || field.name}: ${unfit}`;
      if (!isSame(row.values.get(field.name), value)) edit.fields.push({ name: field.name, value });
    }
    return edit;
  };
  /** The values themselves: as text, some lose a part. */
  const filledFrom = (first: Row, row: Row | undefined): RowEdit => {
    const fields = positions(range.left, range.right).flatMap((at) => {
      const field = row && fieldAt(row, at);
      if (!field || !first.values.has(field.name)) return [];
      const value = first.values.get(field.name) ?? null;
      return isSame(row.values.get(field.name), value) ? [] : [{ name: field.name, value }];
    });
    return { row, fields, leftOut: 0, unfit: undefined };
  };

  const isText = (event: ClipboardEvent) =>
    event.target instanceof Element && event.target.closest("input, textarea") !== null;
  return {
    onCopy: (event: ClipboardEvent) => {
      // Selected text is copied as it is.
      if (isText(event) || getSelection()?.toString()) return;
      event.preventDefault();
      const copied = cells();
      if (copied) event.clipboardData.setData("text/plain", toClipboard(copied));
    },
    onPaste: (event: ClipboardEvent) => {
      if (isText(event)) return;
      event.preventDefault();
      const pasted = fromClipboard(event.clipboardData.getData("text/plain"));
      undoStack.waitFor(write(spread(pasted, range), range.top, range.left));
    },
    /** Writes the first row of the range to the others. */
    fillDown: () => {
      const first = rowAt(range.top);
      if (!first || !cells()) return;
      const below = positions(range.top + 1, range.bottom).map(rowAt);
      undoStack.waitFor(send(below.map((row) => filledFrom(first, row))));
    },
  };
}

function operationOf({ row, fields }: RowEdit): Operation[] {
  if (!row || fields.length === 0) return [];
  const etag = row.revision === undefined ? {} : { if_match: row.revision };
  return [{ method: "PATCH", path: `/objects/${row.id}`, body: { fields }, ...etag }];
}

/** One pasted cell fills all cells of the range, one row all rows of it. */
function spread(pasted: string[][], range: Range): string[][] {
  const [first] = pasted;
  if (pasted.length !== 1 || !first) return pasted;
  const width = range.right - range.left + 1;
  const [text = ""] = first;
  const row = first.length === 1 ? Array.from({ length: width }, () => text) : first;
  return positions(range.top, range.bottom).map(() => row);
}

function positions(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Which object was refused, and why. */
function refusal(error: unknown, operations: readonly Operation[]): unknown {
  const [fault] = problemOf(error).faults;
  const index = /^\/operations\/(\d+)/.exec(fault?.pointer ?? "")?.[1];
  const path = index === undefined ? undefined : operations[Number(index)]?.path;
  return path === undefined ? error : `${path.replace("/objects/", "#")}: ${fault?.detail}`;
}
