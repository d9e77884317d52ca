/** Files whose rows become objects. */
import { queryOptions } from "@tanstack/react-query";
import { isRunning, type RowVerdict } from "~/model/importProgress";
import { client, dataOf, serverUrl } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Import = Schemas["Import"];
export type ImportColumn = Schemas["ImportColumn"];
export type ImportPlan = Schemas["ImportPlan"];
export type ImportPolicy = Schemas["ImportPolicy"];
export type ImportRow = Schemas["ImportRow"];
export type ImportRunBody = Schemas["ImportRunBody"];

/** The right without which nothing here answers. */
export const IMPORT_RIGHT = "base.import.object.*";

const POLL_MS = 500;
const POLL_LIST_MS = 2_000;

export const importsQuery = queryOptions({
  queryKey: ["imports"],
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
    queryKey: ["import", id, type],
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
export const importRowsQuery = (id: number, step: string, verdict: string, after: string) =>
  queryOptions({
    queryKey: ["import", id, "rows", step, verdict, after],
    queryFn: async ({ signal }): Promise<RowsPage> => {
      const rows: ImportRow[] = [];
      let cursor: string | undefined = after;
      do {
        const page = await rowsAfter(id, verdict, cursor, ROWS_SHOWN - rows.length, signal);
        rows.push(...page.rows);
        cursor = page.after;
      } while (rows.length < ROWS_SHOWN && cursor !== undefined);
      return { rows, after: cursor };
    },
  });

async function rowsAfter(
  id: number,
  verdict: string,
  after: string,
  limit: number,
  signal: AbortSignal,
): Promise<RowsPage> {
  const query = {
    limit,
    ...(verdict ? { verdict: verdict as RowVerdict } : {}),
    ...(after ? { after } : {}),
  };
  const params = { path: { public_id: id }, query };
  const page = await dataOf(client.GET("/rest/imports/{public_id}/rows", { params, signal }));
  return { rows: page.results, after: page.pager?.after || undefined };
}

export async function cancelImport(id: number): Promise<Import> {
  const params = { path: { public_id: id } };
  return (await dataOf(client.POST("/rest/imports/{public_id}/cancel", { params }))).result;
}

export async function undoImport(id: number): Promise<Import> {
  const params = { path: { public_id: id } };
  return (await dataOf(client.POST("/rest/imports/{public_id}/undo", { params }))).result;
}

export function deleteImport(id: number): Promise<unknown> {
  const params = { path: { public_id: id } };
  return dataOf(client.DELETE("/rest/imports/{public_id}", { params }));
}

/** The address of the file with the refused rows. */
export function refusedRowsUrl(id: number): string {
  return new URL(`rest/imports/${id}/failed`, serverUrl).href;
}
