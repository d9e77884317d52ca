/** The values that objects have. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";

/** Nobody chooses from a longer list. */
export const MOST_OPTIONS = 100;

/** The texts that objects of a type have in a field, sorted; null if there are too many. */
export const valuesQuery = (type: number, field: string) =>
  queryOptions({
    queryKey: ["objects", "values", type, field],
    queryFn: async ({ signal }): Promise<string[] | null> => {
      // One more tells that there are too many, and objects without a value are a group, too.
      const limit = MOST_OPTIONS + 2;
      const group_by = [{ field: `fields.${field}` }];
      const body = { filter: { type_id: type }, group_by, limit };
      const counted = await dataOf(client.POST("/rest/objects/aggregate", { body, signal }));
      const keys = counted.results.map(({ key }) => key[0]);
      const values = keys.filter((key) => typeof key === "string" && key !== "") as string[];
      return values.length > MOST_OPTIONS ? null : values.toSorted((a, b) => a.localeCompare(b));
    },
    staleTime: 0,
  });
