/** Objects by their ids, and by keys that people paste. */
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type FoundKeys, keysFilter, MOST_KEYS, matchKeys } from "~/model/keys";
import { summaryOf } from "~/model/object";
import { client, dataOf } from "./client";
import { objectKeys } from "./objects";
import { typesQuery } from "./objectTypes";
import type { InventoryObject } from "./records";

/** What objects are called, by their ids. Those that are gone or not visible are left out. */
export const namedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "named", ids],
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

/** The objects of these ids that still exist and are visible. */
export const objectsByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "ids", ids],
    queryFn: async ({ signal }): Promise<InventoryObject[]> => {
      const body = { filter: JSON.stringify({ public_id: { $in: ids } }), limit: 0, total: false };
      const page = await dataOf(client.POST("/rest/objects/query", { body, signal }));
      return page.results as InventoryObject[];
    },
    enabled: ids.length > 0,
  });

/** Which objects of these types the keys mean; without types, of all. */
export async function findKeys(
  queries: QueryClient,
  typeIds: readonly number[],
  keys: readonly string[],
): Promise<FoundKeys> {
  const all = await queries.ensureQueryData(typesQuery);
  const types = all.filter(({ public_id }) => typeIds.length === 0 || typeIds.includes(public_id));
  const asked = keys.slice(0, MOST_KEYS);
  const filter = JSON.stringify(keysFilter(types, asked));
  const body = { filter, limit: 0, total: false };
  const page = await dataOf(client.POST("/rest/objects/query", { body }));
  const { ids, missing } = matchKeys(asked, page.results as InventoryObject[], types);
  return { ids, missing: [...missing, ...keys.slice(MOST_KEYS)] };
}
