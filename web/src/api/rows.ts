/** The rows of a table. */
import { queryOptions } from "@tanstack/react-query";
import { filterOf } from "~/model/filter";
import { type Row, rowOf } from "~/model/row";
import type { View } from "~/model/view";
import { client, dataOf } from "./client";
import { type ObjectListQuery, objectKeys } from "./objects";
import type { InventoryObject, Page } from "./records";

export const PAGE_ROWS = 50;

/** The list of a view, as parameters of the API. */
export function listParameters(view: View) {
  const filter = filterOf(view);
  return {
    ...(view.search === undefined ? {} : { q: view.search }),
    ...(filter === undefined ? {} : { filter }),
    ...(view.sort ? { sort: view.sort.path, order: view.sort.descending ? -1 : 1 } : {}),
  };
}

/** A page of the objects of a view, from 1: with revisions, and what they refer to. */
export function rowsQuery(view: View, page: number) {
  const query = { ...listParameters(view), limit: PAGE_ROWS, page };
  return queryOptions({
    queryKey: [...objectKeys.lists, "rows", query],
    queryFn: ({ signal }) => readRows(query, signal),
    // Rows are not plain JSON, and a page is small.
    structuralSharing: false,
  });
}

/** One object as a row, whatever list shows it; null if the caller sees no such object. */
export function rowQuery(id: number) {
  const query = { filter: JSON.stringify({ public_id: id }), limit: 1, page: 1 };
  return queryOptions({
    queryKey: [...objectKeys.lists, "row", id],
    queryFn: async ({ signal }) => (await readRows(query, signal)).results[0] ?? null,
    structuralSharing: false,
    // It is read when a list lost the object: what was known of it before is out of date.
    gcTime: 0,
  });
}

async function readRows(query: ObjectListQuery, signal: AbortSignal): Promise<Page<Row>> {
  const header = { Prefer: "revisions" };
  const params = { query: { ...query, labels: true }, header };
  const page = await dataOf(client.GET("/rest/objects", { params, signal }));
  const titles = page.labels ?? {};
  const objects = page.results as InventoryObject[];
  return { results: objects.map((object) => rowOf(object, titles)), total: page.total ?? 0 };
}

/** How many ids a request asks for. */
const PAGE_IDS = 1_000;

/** The ids of the objects of a view from one position to another, from 0. */
export async function idsBetween(view: View, first: number, last: number): Promise<number[]> {
  const from = Math.floor(first / PAGE_IDS);
  const pages = Math.floor(last / PAGE_IDS) - from + 1;
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, index) => idsOf(view, from + index + 1)),
  );
  const start = from * PAGE_IDS;
  return answers.flat().slice(first - start, last - start + 1);
}

async function idsOf(view: View, page: number): Promise<number[]> {
  const projection = JSON.stringify({ public_id: 1 });
  const query = { ...listParameters(view), limit: PAGE_IDS, page, projection, total: false };
  const { results } = await dataOf(client.GET("/rest/objects", { params: { query } }));
  return (results as InventoryObject[]).map(({ public_id }) => public_id);
}
