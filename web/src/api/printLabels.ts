/** What labels are printed of. */
import { queryOptions } from "@tanstack/react-query";
import { MOST_LABELS } from "~/model/printLabels";
import { client, dataOf } from "./client";
import { objectKeys } from "./objects";
import type { InventoryObject, ReferenceTitles } from "./records";

interface LabelObjects {
  objects: InventoryObject[];
  /** What they refer to. */
  titles: ReferenceTitles;
}

/** The objects of these ids that exist and are visible, in this order. */
export const labelObjectsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: [...objectKeys.lists, "labels", ids],
    queryFn: async ({ signal }): Promise<LabelObjects> => {
      const filter = JSON.stringify({ public_id: { $in: ids } });
      const body = { filter, limit: MOST_LABELS, labels: true, total: false };
      const page = await dataOf(client.POST("/rest/objects/query", { body, signal }));
      const found = new Map(
        (page.results as InventoryObject[]).map((object) => [object.public_id, object]),
      );
      return { objects: ids.flatMap((id) => found.get(id) ?? []), titles: page.labels ?? {} };
    },
    enabled: ids.length > 0,
  });
