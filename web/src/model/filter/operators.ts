/** What a filter can ask of a path. An operator is an entry here; nothing else tells them apart. */
import {
  at,
  bounded,
  DAY_MS,
  escapeRegex,
  forms,
  isObject,
  type Json,
  textOf,
  unescapeRegex,
  valuesOf,
} from "./operand";

/** Its name is also the key of its text, and what addresses and saved views hold. */
export type Operator =
  | "contains"
  | "is"
  | "is-not"
  | "one-of"
  | "at-least"
  | "at-most"
  | "empty"
  | "not-empty";

interface OperatorEntry {
  /** How many values it takes, and so which control edits them. */
  arity: "none" | "one" | "several";
  /** Whether the server compiles a pattern for it, of which it takes a few only. */
  isPattern?: boolean;
  /** The filter in the language of the API. */
  write: (path: string, value: string) => Json;
  /** The value that it may have been written with; it is tried by writing it. */
  read: (wanted: Wanted) => string | undefined;
}

/** What a filter asks of its path: a value, or the members of an object. */
interface Wanted {
  literal?: Json;
  $regex?: Json;
  $in?: Json;
  $nin?: Json;
  $gte?: Json;
  $lte?: Json;
  $lt?: Json;
}

/** What a field without a value holds. */
const EMPTY = [null, ""];

/** In the order in which they are tried when a filter is read. */
export const OPERATORS: Readonly<Record<Operator, OperatorEntry>> = {
  contains: {
    arity: "one",
    isPattern: true,
    write: (path, value) => at(path, { $regex: escapeRegex(value), $options: "i" }),
    read: ({ $regex }) => (typeof $regex === "string" ? unescapeRegex($regex) : undefined),
  },
  is: {
    arity: "one",
    write: (path, value) => {
      const [first = value, ...others] = forms(path, value);
      return at(path, others.length === 0 ? first : { $in: [first, ...others] });
    },
    read: ({ literal, $in }) => (literal === undefined ? firstOf($in) : String(literal)),
  },
  "is-not": {
    arity: "one",
    write: (path, value) => at(path, { $nin: forms(path, value) }),
    read: ({ $nin }) => firstOf($nin),
  },
  "one-of": {
    arity: "several",
    // The text last: so one value is told from "is".
    write: (path, value) =>
      at(path, { $in: valuesOf(value).flatMap((one) => forms(path, one).reverse()) }),
    read: ({ $in }) => {
      if (!Array.isArray($in)) return undefined;
      return [...new Set($in.filter((one) => !isObject(one)).map(String))].join("\n");
    },
  },
  "at-least": {
    arity: "one",
    write: (path, value) =>
      bounded(
        path,
        value,
        (bound) => ({ $gte: bound }),
        (day) => ({ $gte: { $date: day } }),
      ),
    read: ({ $gte }) => ($gte === undefined ? undefined : textOf($gte)),
  },
  "at-most": {
    arity: "one",
    write: (path, value) =>
      bounded(
        path,
        value,
        (bound) => ({ $lte: bound }),
        (day) => ({ $lt: { $date: day + DAY_MS } }),
      ),
    read: ({ $lte, $lt }) => {
      if ($lte !== undefined) return textOf($lte);
      return $lt === undefined ? undefined : textOf($lt, DAY_MS);
    },
  },
  empty: {
    arity: "none",
    write: (path) => at(path, { $in: EMPTY }),
    read: ({ $in }) => ($in === undefined ? undefined : ""),
  },
  "not-empty": {
    arity: "none",
    write: (path) => at(path, { $nin: EMPTY }),
    read: ({ $nin }) => ($nin === undefined ? undefined : ""),
  },
};

export function isOperator(name: unknown): name is Operator {
  return typeof name === "string" && Object.hasOwn(OPERATORS, name);
}

/** What the operators may have written, the likeliest first. */
export function readings(wanted: Json): { operator: Operator; value: string }[] {
  const members: Wanted = isObject(wanted) ? wanted : { literal: wanted };
  return (Object.keys(OPERATORS) as Operator[]).flatMap((operator) => {
    const value = OPERATORS[operator].read(members);
    return value === undefined ? [] : { operator, value };
  });
}

function firstOf(list: Json | undefined): string | undefined {
  return Array.isArray(list) ? String(list[0]) : undefined;
}
