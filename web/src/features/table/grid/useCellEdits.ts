import { useMemo, useState } from "react";
import { useSaveField } from "~/actions/useSaveField";
import { undoStack } from "~/actions/useUndoable";
import { problemOf } from "~/api/problem";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import type { Texts } from "~/i18n/en";
import { kindOf } from "~/kinds/registry";
import { unfitText } from "~/kinds/unfit";
import { isSame } from "~/model/draft";
import type { Row } from "~/model/row";
import { toastFailure } from "~/ui/Toasts";
import type { Column } from "../columns";
import { CellSaves } from "./cellSaves";
import { useStable } from "./useStable";

/** A value that is on its way, or that the server refused. */
interface CellState {
  value: unknown;
  error?: string;
}

/** An edit of a cell. It stays that of its object, whatever the rows do meanwhile. */
interface CellEdit {
  id: number;
  field: FieldDefinition;
  /** What the cell had as the edit began: another value is somebody else's. */
  before: Promise<unknown>;
}

export interface CellEdits {
  stateOf: (id: number, name: string) => CellState | undefined;
  begin: (row: Row, field: FieldDefinition) => CellEdit;
  save: (edit: CellEdit, value: unknown) => void;
  /** Gives up a refused value. */
  forget: (edit: CellEdit) => void;
}

/** Whether the value of a cell can be edited where it stands. */
export function isEditable(column: Column, row: Row): boolean {
  const { field } = column;
  return field !== undefined && row.values.has(field.name) && kindOf(field).isEditableInPlace;
}

/** The edits of cells: each shows at once, and stays if it was refused. */
export function useCellEdits(): CellEdits {
  const [states, setStates] = useState<ReadonlyMap<string, CellState>>(new Map());
  const { texts } = useLocale();
  const saveField = useSaveField();
  const put = (key: string, state: CellState | undefined) =>
    setStates((all) => {
      const next = new Map(all);
      if (state) next.set(key, state);
      else next.delete(key);
      return next;
    });
  const [saves] = useState(() => new CellSaves());
  const save = async (edit: CellEdit, after: unknown) => {
    const { id, field } = edit;
    const key = keyOf(id, field.name);
    const unfit = unfitText(field, after, texts);
    if (unfit !== undefined && !isSame(after, await edit.before)) {
      toastFailure(unfit);
      return put(key, { value: after, error: unfit });
    }
    put(key, { value: after });
    const { isLast, error } = await saves.save(key, edit.before, after, (before, value) =>
      saveField({ id, name: field.name, before, after: value }, field),
    );
    const refusal = error === undefined ? undefined : reasonOf(error, texts);
    if (refusal !== undefined) toastFailure(refusal);
    // A later edit of the cell is shown already.
    if (isLast) put(key, refusal === undefined ? undefined : { value: after, error: refusal });
  };
  const on = useStable({ save, put });
  // Another object only if a state changed, so that rows need not be drawn again.
  return useMemo(
    () => ({
      stateOf: (id, name) => states.get(keyOf(id, name)),
      begin: ({ id, values }, field) => {
        const shown = values.get(field.name) ?? null;
        return { id, field, before: saves.stored(keyOf(id, field.name), shown) };
      },
      save: (edit, value) => undoStack.waitFor(on.save(edit, value)),
      forget: ({ id, field }) => on.put(keyOf(id, field.name), undefined),
    }),
    [states, on, saves],
  );
}

function keyOf(id: number, name: string): string {
  return `${id}/${name}`;
}

function reasonOf(error: unknown, texts: Texts): string {
  const { status, faults, detail } = problemOf(error);
  if (status === 0) return texts.noConnection;
  return faults.map((fault) => fault.detail).join(" ") || detail;
}
