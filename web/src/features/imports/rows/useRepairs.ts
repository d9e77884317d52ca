import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { REPAIRED_AT_ONCE, repairRows } from "~/api/importRepair";
import type { Import } from "~/api/imports";
import {
  chunksOf,
  NO_REPAIRS,
  type Repairs,
  repairsToSend,
  type ShownCell,
  type ShownRow,
  withRepair,
} from "~/model/importRows";

/** What was typed into refused rows; it is written at once, and then the rows are done again. */
export function useRepairs(shown: Import, onSaved: () => void) {
  const queries = useQueryClient();
  const [repairs, setRepairs] = useState<Repairs>(NO_REPAIRS);
  const save = useMutation({
    mutationFn: async () => {
      const rows = repairsToSend(repairs, shown.columns ?? [], shown.file.format);
      for (const chunk of chunksOf(rows, REPAIRED_AT_ONCE)) await repairRows(shown.id, chunk);
    },
    onSuccess: () => {
      setRepairs(NO_REPAIRS);
      onSaved();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["import", shown.id] }),
  });
  return {
    repairs,
    count: [...repairs.values()].reduce((sum, cells) => sum + cells.size, 0),
    type: (row: ShownRow, cell: ShownCell, text: string) =>
      setRepairs((before) => withRepair(before, row, cell, text)),
    discard: () => setRepairs(NO_REPAIRS),
    save,
  };
}

export type RepairsInWork = ReturnType<typeof useRepairs>;
