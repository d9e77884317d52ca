import type { ClipboardEvent } from "react";
import { undoStack, useUndoable } from "~/actions/useUndoable";
import { batch } from "~/api/batch";
import { problemOf } from "~/api/problem";
import type { Operation } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
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
    const operations = pasted.flatMap((texts_, offset): Operation[] => {
      const row = rowAt(top + offset);
      const fields = row ? pastedFields(row, texts_, left) : [];
      if (!row || fields.length === 0) return [];
      const etag = row.revision === undefined ? {} : { if_match: row.revision };
      return [{ method: "PATCH", path: `/objects/${row.id}`, body: { fields }, ...etag }];
    });
    if (operations.length === 0) return;
    try {
      const { requestId } = await batch(operations);
      await undoable(texts.table.pasted(operations.length), requestId);
    } catch (error) {
      toastFailure(refusal(problemOf(error), operations));
    }
  };
  const pastedFields = (row: Row, cells: readonly string[], left: number) =>
    cells.flatMap((text, offset) => {
      const column = columns[left + offset];
      if (!column?.field || !mayEdit(row.type) || !isEditable(column, row)) return [];
      const value = kindOf(column.field).parse(text, column.field);
      const { name } = column.field;
      return isSame(row.values.get(name), value) ? [] : [{ name, value }];
    });

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
      const first = cells()?.[0];
      if (first) undoStack.waitFor(write(spread([first], range), range.top, range.left));
    },
  };
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
function refusal(
  { faults, detail }: ReturnType<typeof problemOf>,
  operations: readonly Operation[],
): string {
  const [fault] = faults;
  const index = /^\/operations\/(\d+)/.exec(fault?.pointer ?? "")?.[1];
  const path = index === undefined ? undefined : operations[Number(index)]?.path;
  return path === undefined ? detail : `${path.replace("/objects/", "#")}: ${fault?.detail}`;
}
