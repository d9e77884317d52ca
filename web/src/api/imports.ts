/** Files whose rows become objects. */

import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { isRunning, type RowStatus } from "~/model/importProgress";
import { chunksOf, type RowRepair } from "~/model/importRows";
import { client, dataOf, serverUrl } from "./client";
import type { Import, ImportRow, ImportRunBody, RightName } from "./records";

export const importKeys = {
  all: ["imports"],
  one: (id: number) => ["import", id],
} as const;

/** The right without which nothing here answers. */
export const IMPORT_RIGHT: RightName = "base.import.object.*";

const POLL_MS = 500;
const POLL_LIST_MS = 2_000;

export const importsQuery = queryOptions({
  queryKey: importKeys.all,
  queryFn: async ({ signal }): Promise<Import[]> => {
    const query = { limit: 0 };
    const page = await dataOf(client.GET("/rest/imports", { params: { query }, signal }));
    return page.results;
  },
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? POLL_LIST_MS : false),
});

/** An import with its columns, and the time at which the server said so. */
export interface ReadImport {
  data: Import;
  now: string;
}

/** With a type, also how the columns probably go to its fields. Read again while it runs. */
export const importQuery = (id: number, type?: number) =>
  queryOptions({
    queryKey: [...importKeys.one(id), type],
    queryFn: async ({ signal }): Promise<ReadImport> => {
      const params = {
        path: { public_id: id },
        query: type === undefined ? {} : { type_id: type },
      };
      const read = await dataOf(client.GET("/rest/imports/{public_id}", { params, signal }));
      return { data: read.result, now: read.time };
    },
    refetchInterval: ({ state }) => (state.data && isRunning(state.data.data) ? POLL_MS : false),
  });

export interface RowsPage {
  rows: ImportRow[];
  /** The cursor of the next page; nothing at the end. */
  after: string | undefined;
}

export const ROWS_SHOWN = 50;

/** A page of rows. The server may answer with fewer than there are: then it is asked again. */
export const importRowsQuery = (id: number, step: string, status: string, after: string) =>
  queryOptions({
    queryKey: [...importKeys.one(id), "rows", step, status, after],
    queryFn: async ({ signal }): Promise<RowsPage> => {
      const rows: ImportRow[] = [];
      let cursor: string | undefined = after;
      do {
        const page = await rowsAfter(id, status, cursor, ROWS_SHOWN - rows.length, signal);
        rows.push(...page.rows);
        cursor = page.after;
      } while (rows.length < ROWS_SHOWN && cursor !== undefined);
      return { rows, after: cursor };
    },
  });

async function rowsAfter(
  id: number,
  status: string,
  after: string,
  limit: number,
  signal: AbortSignal,
): Promise<RowsPage> {
  const query = {
    limit,
    ...(status ? { status: status as RowStatus } : {}),
    ...(after ? { after } : {}),
  };
  const params = { path: { public_id: id }, query };
  const page = await dataOf(client.GET("/rest/imports/{public_id}/rows", { params, signal }));
  return { rows: page.results, after: page.pager?.after || undefined };
}

/** Starts an import or its check. */
export const runImportMutation = (id: number) =>
  mutationOptions({
    mutationFn: (body: ImportRunBody) => {
      const params = { path: { public_id: id } };
      return dataOf(client.POST("/rest/imports/{public_id}/run", { params, body }));
    },
    meta: { invalidates: [importKeys.one(id)], evenIfRefused: true },
  });

/** The most rows of one request. */
const REPAIRED_AT_ONCE = 500;

/** Writes cells of rows. Their statuses stay until the rows are done again. */
export const repairRowsMutation = (id: number) =>
  mutationOptions({
    mutationFn: async (repairs: readonly RowRepair[]) => {
      const params = { path: { public_id: id } };
      for (const rows of chunksOf(repairs, REPAIRED_AT_ONCE)) {
        await dataOf(client.PATCH("/rest/imports/{public_id}/rows", { params, body: { rows } }));
      }
    },
    meta: { invalidates: [importKeys.one(id)], evenIfRefused: true },
  });

export const cancelImportMutation = (id: number) =>
  mutationOptions({
    mutationFn: () => {
      const params = { path: { public_id: id } };
      return dataOf(client.POST("/rest/imports/{public_id}/cancel", { params }));
    },
    meta: { invalidates: [importKeys.one(id)] },
  });

export const undoImportMutation = (id: number) =>
  mutationOptions({
    mutationFn: () => {
      const params = { path: { public_id: id } };
      return dataOf(client.POST("/rest/imports/{public_id}/undo", { params }));
    },
    meta: { invalidates: [importKeys.one(id)] },
  });

export const deleteImportMutation = (id: number) =>
  mutationOptions({
    mutationFn: () => deleteImport(id),
    meta: { invalidates: [importKeys.all] },
  });

export function deleteImport(id: number): Promise<unknown> {
  const params = { path: { public_id: id } };
  return dataOf(client.DELETE("/rest/imports/{public_id}", { params }));
}

/** The address of the file with the refused rows. */
export function refusedRowsUrl(id: number): string {
  return new URL(`rest/imports/${id}/failed`, serverUrl).href;
}
