/** Files of types, categories and groups. */
import { client, dataOf } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type ImportedRecords = Schemas["ImportedRecords"];

/** Imports the records of a text, or says what would become of them. */
export function importRecords(text: string, isDry: boolean): Promise<ImportedRecords> {
  const params = { query: isDry ? { dry_run: true } : {} };
  const body = text as unknown as Schemas["RecordsToImport"];
  const bodySerializer = () => text;
  return dataOf(client.POST("/rest/imports/records", { params, body, bodySerializer }));
}
