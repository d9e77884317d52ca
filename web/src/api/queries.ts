/** What the screens read. Each entry is a key and a request, for TanStack Query. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { summaryOf } from "~/model/object";
import { isSearchable } from "~/model/search";
import { client, dataOf, versionedOf } from "./client";
import type { Category, InventoryObject, Me, ObjectType, Page, ReferenceTitles } from "./types";

/** Types and categories change rarely, and the tables need them all the time. */
const DEFINITIONS_FRESH_MS = 60_000;

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }): Promise<Me> => dataOf(client.GET("/rest/auth/me", { signal })),
  staleTime: DEFINITIONS_FRESH_MS,
  retry: false,
});

export const typesQuery = queryOptions({
  queryKey: ["types"],
  queryFn: async ({ signal }): Promise<ObjectType[]> => {
    const query = { limit: 0, sort: "label" };
    const page = await dataOf(client.GET("/rest/types", { params: { query }, signal }));
    return page.results;
  },
  staleTime: DEFINITIONS_FRESH_MS,
});

export const categoriesQuery = queryOptions({
  queryKey: ["categories"],
  queryFn: async ({ signal }): Promise<Category[]> => {
    const query = { limit: 0 };
    const page = await dataOf(client.GET("/rest/categories", { params: { query }, signal }));
    return page.results as Category[];
  },
  staleTime: DEFINITIONS_FRESH_MS,
});

/** More types than this have no counts in the tree. */
const COUNTED_TYPES = 1_000;
const COUNTS_FRESH_MS = 15_000;

/** How many objects of each type the caller may see. */
export const countsQuery = queryOptions({
  queryKey: ["counts"],
  queryFn: async ({ signal }): Promise<Map<number, number>> => {
    const body = { group_by: [{ field: "type_id" }], limit: COUNTED_TYPES };
    const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
    return new Map(counted.results.map(({ key, count }) => [Number(key[0]), count]));
  },
  staleTime: COUNTS_FRESH_MS,
});

const FACETS_SHOWN = 200;

/** How many objects have each value of a field. */
export const facetsQuery = (path: string, filter: string | undefined) =>
  queryOptions({
    queryKey: ["objects", "facets", path, filter],
    queryFn: async ({ signal }): Promise<Map<string, number>> => {
      const body = {
        group_by: [{ field: path }],
        limit: FACETS_SHOWN,
        ...(filter === undefined ? {} : { filter: JSON.parse(filter) }),
      };
      const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
      return new Map(counted.results.map(({ key, count }) => [String(key[0] ?? ""), count]));
    },
  });

/** The parameters of an object list. */
export interface ObjectListQuery {
  filter?: string;
  sort?: string;
  order?: number;
  limit: number;
  page: number;
}

export const objectsQuery = (query: ObjectListQuery) =>
  queryOptions({
    queryKey: ["objects", query],
    queryFn: async ({ signal }): Promise<Page<InventoryObject>> => {
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return { results: page.results as InventoryObject[], total: page.total ?? 0 };
    },
  });

export const objectQuery = (id: number) =>
  queryOptions({
    queryKey: ["object", id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/rest/objects/{public_id}", { params: { path: { public_id: id } }, signal }),
      ),
  });

/** As stored, with its revision: what a form changes. */
export const nativeObjectQuery = (id: number) =>
  queryOptions({
    queryKey: ["object", id, "native"],
    queryFn: ({ signal }) => {
      const params = { path: { public_id: id } };
      return versionedOf(client.GET("/rest/objects/{public_id}/native", { params, signal }));
    },
  });

const CANDIDATES_SHOWN = 20;

/** Objects that a reference could point to: of these types, with the text in any field. */
export const candidatesQuery = (types: readonly ObjectType[], text: string) => {
  const filter = JSON.stringify({ type_id: { $in: types.map(({ public_id }) => public_id) } });
  const wanted = text.trim();
  const found = isSearchable(wanted) ? { q: wanted } : {};
  const sort = { sort: "last_edit_time", order: -1, limit: CANDIDATES_SHOWN, total: false };
  const query = { filter, ...found, ...sort };
  return queryOptions({
    queryKey: ["objects", "candidates", query],
    queryFn: async ({ signal }): Promise<InventoryObject[]> => {
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return page.results as InventoryObject[];
    },
  });
};

/** What objects are called, by their ids. Those that are gone or not visible are left out. */
export const namedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["objects", "named", ids],
    queryFn: async ({ signal, client: queries }): Promise<ReadonlyMap<number, string>> => {
      const types = await queries.ensureQueryData(typesQuery);
      const filter = JSON.stringify({ public_id: { $in: ids.map(Number) } });
      const body = { filter, limit: 0, total: false };
      const page = await dataOf(client.POST("/rest/objects/query", { body, signal }));
      const objects = page.results as InventoryObject[];
      const nameOf = (object: InventoryObject) =>
        summaryOf(
          object,
          types.find((type) => type.public_id === object.type_id),
        );
      return new Map(objects.map((object) => [object.public_id, nameOf(object)]));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });

/** An object and those that it refers to; of a time in the past, if there is one. */
export const neighboursQuery = (id: number, asOf?: string) =>
  queryOptions({
    queryKey: ["object", id, "neighbours", asOf],
    queryFn: async ({ signal }): Promise<{ object: InventoryObject; titles: ReferenceTitles }> => {
      const query = { labels: true, ...past(asOf) };
      const params = { path: { public_id: id }, query };
      const object = await dataOf(
        client.GET("/rest/objects/{public_id}/native", { params, signal }),
      );
      return { object, titles: object.labels ?? {} };
    },
  });

/** The parameter of a list that shows how it was. */
export function past(asOf: string | undefined) {
  return asOf === undefined ? {} : { as_of: asOf };
}

/** The id of the object before or after one among those of its type; nothing at the end. */
export const besideQuery = (type: number, id: number, step: 1 | -1) =>
  queryOptions({
    queryKey: ["objects", "beside", type, id, step],
    queryFn: async ({ signal }): Promise<number | null> => {
      const filter = JSON.stringify({
        type_id: type,
        public_id: { [step > 0 ? "$gt" : "$lt"]: id },
      });
      const query = { filter, sort: "public_id", order: step, limit: 1, total: false };
      const page = await dataOf(client.GET("/rest/objects", { params: { query }, signal }));
      return (page.results as InventoryObject[])[0]?.public_id ?? null;
    },
  });

const REFERENCES_SHOWN = 100;

/** Some of those that refer to an object. */
export const referencesQuery = (id: number) =>
  queryOptions({
    queryKey: ["object", id, "references"],
    queryFn: async ({ signal }): Promise<Page<InventoryObject>> => {
      const params = {
        path: { public_id: id },
        query: { limit: REFERENCES_SHOWN, sort: "type_id" },
      };
      const page = await dataOf(
        client.GET("/rest/objects/{public_id}/references", { params, signal }),
      );
      return { results: page.results as InventoryObject[], total: page.total ?? 0 };
    },
  });

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async ({ signal }) =>
    (await dataOf(client.GET("/rest/auth/sessions", { signal }))).sessions,
});
