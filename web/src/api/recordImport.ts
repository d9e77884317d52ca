/** Files of types, categories and groups. */

import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { ImportedRecords } from "./records";
import type { components } from "./schema";

type Schemas = components["schemas"];

const RECORD_IMPORTS = "record-import";

/** What a file would do. `id` tells panels apart: a text may be long. */
export const recordImportQuery = (id: string, text: string) =>
  queryOptions({
    queryKey: [RECORD_IMPORTS, id],
    queryFn: () => importRecords(text, true),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const recordImportMutation = mutationOptions({
  mutationFn: (text: string) => importRecords(text, false),
  onSuccess: (_data, _text, _result, { client: queries }) =>
    // What the file would do once more helps nobody.
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== RECORD_IMPORTS }),
});

/** Imports the records of a text, or says what would become of them. */
function importRecords(text: string, isDry: boolean): Promise<ImportedRecords> {
  const params = { query: isDry ? { dry_run: true } : {} };
  const body = text as unknown as Schemas["RecordsToImport"];
  const bodySerializer = () => text;
  return dataOf(client.POST("/rest/imports/records", { params, body, bodySerializer }));
}
