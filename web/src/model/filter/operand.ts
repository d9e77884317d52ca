/** How the value of a condition is written in the language of the API, and read from it. */
import { BigInteger, isBigInteger } from "../json";

export type Json = string | number | BigInteger | boolean | null | Json[] | { [key: string]: Json };

/** Numbers in every object, never stored as texts. */
const NUMBERS = ["public_id", "type_id", "author_id", "editor_id"];
/** Points in time in every object; a day is compared as a whole. */
const TIMES = ["creation_time", "last_edit_time"];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const DAY_MS = 86_400_000;

/** In filters, these paths lead into the list of fields, not to fields with these names. */
const MISTAKABLE = /^fields\.(?=(name|value|\d+)(\.|$))/;

/** Asks for a value at a path. */
export function at(path: string, wanted: Json): Json {
  return { [path.replace(MISTAKABLE, "values.")]: wanted };
}

/** The path of a member or field that a path of a filter means. */
export function pathOfFilter(path: string): string {
  return path.replace(/^values\./, "fields.");
}

/** How a value may be stored: as a text, a number or a boolean, or a point in time. */
export function forms(path: string, value: string): Json[] {
  const literal = literalOf(value);
  if (literal !== value) return NUMBERS.includes(path) ? [literal] : [value, literal];
  const day = dayOf(path, value);
  return day === undefined ? [value] : [value, { $date: day }];
}

/** Compares with a bound. A field keeps its dates as they were sent: as texts, or as times. */
export function bounded(
  path: string,
  value: string,
  byValue: (bound: Json) => Json,
  byTime: (day: number) => Json,
): Json {
  const day = dayOf(path, value);
  const plain = at(path, byValue(literalOf(value)));
  if (day === undefined) return plain;
  const time = at(path, byTime(day));
  return TIMES.includes(path) ? time : { $or: [plain, time] };
}

/** A bound as it is typed; that of a point in time is a day. */
export function textOf(bound: Json, later = 0): string {
  if (!isObject(bound)) return String(bound);
  const time = new Date(Number(bound["$date"]) - later);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 10);
}

/** The values of an operator that takes several: one per line, without repeats. */
export function valuesOf(value: string): string[] {
  const lines = value.split("\n").map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== "");
}

/** A pattern that matches the text itself. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

export function unescapeRegex(pattern: string): string {
  return pattern.replace(/\\(.)/g, "$1");
}

export function isObject(value: Json): value is { [key: string]: Json } {
  const isLiteral = value instanceof BigInteger || Array.isArray(value);
  return typeof value === "object" && value !== null && !isLiteral;
}

function literalOf(value: string): Json {
  if (value === "true" || value === "false") return value === "true";
  if (isBigInteger(value)) return new BigInteger(value);
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) && String(number) === value
    ? number
    : value;
}

/** The beginning of a day in milliseconds; nothing if the value is no day. */
function dayOf(path: string, value: string): number | undefined {
  const canBeDay = path.startsWith("fields.") || TIMES.includes(path);
  const time = canBeDay && DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // The 31st of February would be a day of March.
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  return isDay ? time : undefined;
}
