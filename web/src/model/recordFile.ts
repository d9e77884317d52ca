/** Files of types, categories and groups, which the server takes as they are. */
import { isObject, readJson } from "./typeJson";

/** The server takes no longer body. */
const MAX_BYTES = 16 * 1_024 * 1_024;

const LISTS = ["types", "categories", "groups"];

/** Whether a file may be one of records, before it is read. */
export function mayHoldRecords({ name, size }: { name: string; size: number }): boolean {
  return /\.json$/i.test(name) && size <= MAX_BYTES;
}

/** The body of the request, if the text holds types, categories or groups. It is the text itself,
 * as numbers of a text can have more digits than those of a script. */
export function recordBody(text: string): string | undefined {
  const read = readJson(text);
  if (read.is !== "read") return undefined;
  const { value } = read;
  if (isObject(value)) return LISTS.some((list) => Array.isArray(value[list])) ? text : undefined;
  const isTypes = Array.isArray(value) && value.length > 0 && value.every(isType);
  return isTypes ? `{"types":${text}}` : undefined;
}

/** Whether this is a type and not an object: its fields have kinds. */
function isType(item: unknown): boolean {
  if (!isObject(item) || typeof item["name"] !== "string") return false;
  const fields = item["fields"];
  const isDefinition = (field: unknown) => isObject(field) && "type" in field && "name" in field;
  return (
    "render_meta" in item ||
    (Array.isArray(fields) && fields.length > 0 && fields.every(isDefinition))
  );
}
