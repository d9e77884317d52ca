/** A condition on one path, as a filter of the API and back. */
import { isObject, type Json, pathOfFilter } from "./operand";
import { OPERATORS, type Operator, readings } from "./operators";

/** One condition; all of a view must hold. */
export interface Condition {
  path: string;
  operator: Operator;
  /** Empty if the operator needs none; one per line if it takes several. */
  value: string;
}

/** The condition in the language of the API. */
export function conditionFilter({ path, operator, value }: Condition): Json {
  return OPERATORS[operator].write(path, value);
}

/** The condition that a filter was made of; nothing if it says something else. */
export function readCondition(filter: Json): Condition | undefined {
  const found = pathOf(filter);
  if (!found) return undefined;
  return readings(found.wanted)
    .map((reading) => ({ path: found.path, ...reading }))
    .find((condition) => isEqual(conditionFilter(condition), filter));
}

/** Asks for a value, or for objects that have none. */
export function hasValue(path: string, value: string): Condition {
  return { path, operator: value === "" ? "empty" : "is", value };
}

/** Whether the operator has the value that it needs. */
export function isComplete({ operator, value }: Condition): boolean {
  return OPERATORS[operator].arity === "none" || value.trim() !== "";
}

/** Asks something else of the same path, with as much of the value as the operator takes. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  const [first = ""] = condition.value.split("\n");
  const kept = { none: "", one: first, several: condition.value };
  return { ...condition, operator, value: kept[OPERATORS[operator].arity] };
}

/** The one path of a filter; the texts of days come first. */
function pathOf(filter: Json): { path: string; wanted: Json } | undefined {
  if (!isObject(filter)) return undefined;
  const [entry, ...others] = Object.entries(filter);
  if (!entry || others.length > 0) return undefined;
  const [path, wanted] = entry;
  if (path === "$or" && Array.isArray(wanted) && wanted.length === 2) return pathOf(wanted[0] ?? 0);
  return path.startsWith("$") ? undefined : { path: pathOfFilter(path), wanted };
}

/** The order of members does not matter. */
function isEqual(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, at) => isEqual(one, right[at] ?? null));
  }
  if (!isObject(left) || !isObject(right))
    return String(left) === String(right) && typeof left === typeof right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => name in right && isEqual(left[name] ?? null, right[name] ?? null))
  );
}
