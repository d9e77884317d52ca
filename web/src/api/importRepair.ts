/** Cells of refused rows are written, and only those rows are done again. */
import { client, dataOf } from "./client";
import type { Import, ImportRunBody } from "./imports";

export interface RowRepair {
  row: number;
  cells: Record<string, unknown>;
}

/** The most rows of one request. */
export const REPAIRED_AT_ONCE = 500;

/** Writes cells of rows. Their verdicts stay until the rows are done again. */
export async function repairRows(id: number, rows: RowRepair[]): Promise<Import> {
  const params = { path: { public_id: id } };
  const body = { rows };
  return (await dataOf(client.PATCH("/rest/imports/{public_id}/rows", { params, body }))).result;
}

/** Starts an import or its check; `failed` does only the refused rows again. */
export async function runImport(id: number, body: ImportRunBody, only?: "failed"): Promise<Import> {
  const params = { path: { public_id: id } };
  const sent = only ? { ...body, only } : body;
  return (await dataOf(client.POST("/rest/imports/{public_id}/run", { params, body: sent })))
    .result;
}
