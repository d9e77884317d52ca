/** A condition on one path, as a filter of the API and back. */
import type { Condition, Operator } from "../view";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a field without a value holds. */
const EMPTY = [null, ""];

/** Numbers in every object, never stored as texts. */
const NUMBERS = ["public_id", "type_id", "author_id", "editor_id"];
/** Points in time in every object; a day is compared as a whole. */
const TIMES = ["creation_time", "last_edit_time"];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The condition in the language of the API. */
export function conditionFilter({ path, operator, value }: Condition): Json {
  const day = dayOf(path, value);
  const isOrder = operator === "at-least" || operator === "at-most";
  if (day === undefined || !isOrder) return at(path, operand(path, operator, value));
  const [text, time]: [Json, Json] =
    operator === "at-least"
      ? [{ $gte: value }, { $gte: { $date: day } }]
      : [{ $lte: value }, { $lt: { $date: day + DAY_MS } }];
  // A field keeps its dates as they were sent: as texts, or as points in time.
  return TIMES.includes(path) ? at(path, time) : { $or: [at(path, text), at(path, time)] };
}

/** The condition that a filter was made of; nothing if it says something else. */
export function readCondition(filter: Json): Condition | undefined {
  return candidates(filter).find((condition) => isEqual(conditionFilter(condition), filter));
}

/** The values of an operator that takes several: one per line, without repeats. */
export function valuesOf(value: string): string[] {
  const lines = value.split("\n").map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== "");
}

/** Whether the operator has the value that it needs. */
export function isComplete({ operator, value }: Condition): boolean {
  return needsNoValue(operator) || value.trim() !== "";
}

export function needsNoValue(operator: Operator): boolean {
  return operator === "empty" || operator === "not-empty";
}

/** In filters, these paths are members of a stored field, not fields with these names. */
const MEMBERS = ["fields.name", "fields.value"];

/** Asks for a value at a path. */
export function at(path: string, wanted: Json): Json {
  if (!MEMBERS.includes(path)) return { [path]: wanted };
  return { fields: { $elemMatch: { name: path.slice("fields.".length), value: wanted } } };
}

/** A pattern that matches the text itself. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function operand(path: string, operator: Operator, value: string): Json {
  switch (operator) {
    case "contains":
      return { $regex: escapeRegex(value), $options: "i" };
    case "is": {
      const [first = value, ...others] = forms(path, value);
      return others.length === 0 ? first : { $in: [first, ...others] };
    }
    case "is-not":
      return { $nin: forms(path, value) };
    case "one-of":
      // The text last: so one value is told from "is".
      return { $in: valuesOf(value).flatMap((one) => forms(path, one).reverse()) };
    case "at-least":
      return { $gte: literalOf(value) };
    case "at-most":
      return { $lte: literalOf(value) };
    case "empty":
      return { $in: EMPTY };
    case "not-empty":
      return { $nin: EMPTY };
  }
}

/** How a value may be stored: as a text, a number or a boolean, or a point in time. */
function forms(path: string, value: string): Json[] {
  const literal = literalOf(value);
  if (literal !== value) return NUMBERS.includes(path) ? [literal] : [value, literal];
  const day = dayOf(path, value);
  return day === undefined ? [value] : [value, { $date: day }];
}

function literalOf(value: string): Json {
  if (value === "true" || value === "false") return value === "true";
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

/** What a filter may have been made of. Each is tried. */
function candidates(filter: Json): Condition[] {
  const found = pathOf(filter);
  if (!found) return [];
  const { path, wanted } = found;
  const as = (operator: Operator, value: string): Condition => ({ path, operator, value });
  if (!isObject(wanted)) return [as("is", String(wanted))];
  const { $regex, $in, $nin, $gte, $lte, $lt } = wanted;
  if (typeof $regex === "string") return [as("contains", $regex.replace(/\\(.)/g, "$1"))];
  if (Array.isArray($in)) {
    const all = new Set($in.filter((one) => !isObject(one)).map(String));
    return [as("empty", ""), as("is", String($in[0])), as("one-of", [...all].join("\n"))];
  }
  if (Array.isArray($nin)) return [as("not-empty", ""), as("is-not", String($nin[0]))];
  if ($gte !== undefined) return [as("at-least", textOf($gte))];
  if ($lte !== undefined) return [as("at-most", textOf($lte))];
  if ($lt !== undefined) return [as("at-most", textOf($lt, DAY_MS))];
  return [];
}

/** The one path of a filter; the texts of days come first. */
function pathOf(filter: Json): { path: string; wanted: Json } | undefined {
  if (!isObject(filter)) return undefined;
  const [entry, ...others] = Object.entries(filter);
  if (!entry || others.length > 0) return undefined;
  const [path, wanted] = entry;
  if (path === "$or" && Array.isArray(wanted) && wanted.length === 2) return pathOf(wanted[0] ?? 0);
  if (path === "fields" && isObject(wanted) && isObject(wanted["$elemMatch"] ?? 0)) {
    const { name, value } = wanted["$elemMatch"] as Record<string, Json>;
    return value === undefined ? undefined : { path: `fields.${name}`, wanted: value };
  }
  return path.startsWith("$") ? undefined : { path, wanted };
}

/** A bound as it is typed; that of a point in time is a day. */
function textOf(bound: Json, later = 0): string {
  if (!isObject(bound)) return String(bound);
  const time = new Date(Number(bound["$date"]) - later);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 10);
}

export function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of members does not matter. */
function isEqual(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, at) => isEqual(one, right[at] ?? null));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => name in right && isEqual(left[name] ?? null, right[name] ?? null))
  );
}
