import { useMemo, useState } from "react";
import { useSaveField } from "~/actions/useSaveField";
import { problemOf } from "~/api/problem";
import type { FieldDefinition } from "~/api/types";
import { kindOf } from "~/kinds/registry";
import { sayFailure } from "~/kit/Toasts";
import type { Row } from "~/model/row";
import type { Column } from "../columns";
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
  const save = async (row: Row, field: FieldDefinition, after: unknown) => {
    const { id } = row;
    const key = `${id}/${field.name}`;
    const before = row.values.get(field.name) ?? null;
    if (JSON.stringify(before) === JSON.stringify(after ?? null)) return put(key, undefined);
    put(key, { value: after });
    try {
      await saveField({ id, name: field.name, before, after }, field);
      put(key, undefined);
    } catch (problem) {
      const { faults, detail } = problemOf(problem);
      const error = faults.map((fault) => fault.detail).join(" ") || detail;
      put(key, { value: after, error });
      sayFailure(error);
    }
  };
  const on = useStable({ save, put });
  // Another object only if a state changed, so that rows need not be drawn again.
  return useMemo(
    () => ({
      stateOf: (id, name) => states.get(`${id}/${name}`),
      save: (row, field, value) => void on.save(row, field, value),
      forget: (id, name) => on.put(`${id}/${name}`, undefined),
    }),
    [states, on],
  );
}
