import { useMemo, useState } from "react";
import { useSaveField } from "~/actions/useSaveField";
import { undoStack } from "~/actions/useUndoable";
import { problemOf } from "~/api/problem";
import type { FieldDefinition } from "~/api/records";
import { kindOf } from "~/kinds/registry";
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

export interface CellEdits {
  stateOf: (id: number, name: string) => CellState | undefined;
  save: (row: Row, field: FieldDefinition, value: unknown) => void;
  /** Gives up a refused value. */
  forget: (id: number, name: string) => void;
}

/** Whether the value of a cell can be edited where it stands. */
export function isEditable(column: Column, row: Row): boolean {
  const { field } = column;
  return field !== undefined && row.values.has(field.name) && kindOf(field).isEditableInPlace;
}

/** The edits of cells: each shows at once, and stays if it was refused. */
export function useCellEdits(): CellEdits {
  const [states, setStates] = useState<ReadonlyMap<string, CellState>>(new Map());
  const saveField = useSaveField();
  const put = (key: string, state: CellState | undefined) =>
    setStates((all) => {
      const next = new Map(all);
      if (state) next.set(key, state);
      else next.delete(key);
      return next;
    });
  const [saves] = useState(() => new CellSaves());
  const save = async (row: Row, field: FieldDefinition, after: unknown) => {
    const { id } = row;
    const { name } = field;
    const key = `${id}/${name}`;
    put(key, { value: after });
    const shown = row.values.get(name) ?? null;
    const { isLast, error } = await saves.save(key, shown, after, (before, value) =>
      saveField({ id, name, before, after: value }, field),
    );
    const refusal = error === undefined ? undefined : reasonOf(error);
    if (refusal !== undefined) toastFailure(refusal);
    // A later edit of the cell is shown already.
    if (isLast) put(key, refusal === undefined ? undefined : { value: after, error: refusal });
  };
  const on = useStable({ save, put });
  // Another object only if a state changed, so that rows need not be drawn again.
  return useMemo(
    () => ({
      stateOf: (id, name) => states.get(`${id}/${name}`),
      save: (row, field, value) => undoStack.waitFor(on.save(row, field, value)),
      forget: (id, name) => on.put(`${id}/${name}`, undefined),
    }),
    [states, on],
  );
}

function reasonOf(error: unknown): string {
  const { faults, detail } = problemOf(error);
  return faults.map((fault) => fault.detail).join(" ") || detail;
}
