import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { repairRowsMutation } from "~/api/imports";
import type { Import } from "~/api/records";
import {
  NO_REPAIRS,
  type Repairs,
  repairsToSend,
  type ShownCell,
  type ShownRow,
  withRepair,
} from "~/model/importRows";

/** What was typed into refused rows; it is written at once, and then the rows are done again. */
export function useRepairs(shown: Import, onSaved: () => void) {
  const [repairs, setRepairs] = useState<Repairs>(NO_REPAIRS);
  const save = useMutation({
    ...repairRowsMutation(shown.id),
    onSuccess: () => {
      setRepairs(NO_REPAIRS);
      onSaved();
    },
  });
  return {
    repairs,
    count: [...repairs.values()].reduce((sum, cells) => sum + cells.size, 0),
    type: (row: ShownRow, cell: ShownCell, text: string) =>
      setRepairs((before) => withRepair(before, row, cell, text)),
    discard: () => setRepairs(NO_REPAIRS),
    save: () => save.mutate(repairsToSend(repairs, shown.columns ?? [], shown.file.format)),
    isPending: save.isPending,
    error: save.error,
  };
}

export type RepairsInWork = ReturnType<typeof useRepairs>;
