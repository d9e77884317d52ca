/** Filters in the language of the API. */
import { parseJson } from "../json";
import type { View } from "../view";
import { conditionFilter } from "./condition";
import type { Json } from "./operand";

/** The filter of a view as JSON; nothing if every object matches. */
export function filterOf(view: Pick<View, "type" | "conditions" | "filter">): string | undefined {
  const parts: Json[] = [];
  if (view.type !== undefined) parts.push({ type_id: view.type });
  for (const condition of view.conditions) parts.push(conditionFilter(condition));
  if (view.filter !== undefined) parts.push(readFilter(view.filter));
  const [only] = parts;
  if (only === undefined) return undefined;
  return JSON.stringify(parts.length === 1 ? only : { $and: parts });
}

/** The filter that somebody wrote; one that is no JSON matches nothing. */
export function readFilter(text: string): Record<string, Json> {
  return isFilter(text) ? (parseJson(text) as Record<string, Json>) : { public_id: 0 };
}

/** Whether a text is a filter at first sight; the server knows the rest. */
export function isFilter(text: string): boolean {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The same list on a command line. The token stays out of it. */
export function curlCommand(listUrl: string, parameters: Record<string, string>): string {
  const encoded = Object.entries(parameters).map(
    ([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`,
  );
  const head = `curl --get ${quote(listUrl)}`;
  const token = '  --header "Authorization: Bearer $STOCKROOM_TOKEN"';
  return [head, token, ...encoded].join(" \\\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
