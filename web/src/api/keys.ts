/** Objects by keys that people paste. */
import type { QueryClient } from "@tanstack/react-query";
import { type FoundKeys, keysFilter, MOST_KEYS, matchKeys } from "~/model/keys";
import { client, dataOf } from "./client";
import { typesQuery } from "./queries";
import type { InventoryObject } from "./types";

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
