/** Built filters as JSON in the language of the API, and back. */

import { parseJson } from "../json";
import type { View } from "../view";
import { readFilter } from ".";
import { conditionFilter, readCondition } from "./condition";
import { isObject, type Json } from "./operand";
import {
  type Group,
  type Match,
  MOST_DEPTH,
  MOST_PARTS,
  NO_FILTER,
  numbered,
  type Part,
  partsBelow,
  pruned,
} from "./tree";

const KEYS: Record<Match, string> = { all: "$and", any: "$or", none: "$nor" };

/** The filter as JSON. Reading it gives the same tree again. */
export function treeJson(root: Group): Json {
  const [only, ...others] = root.parts;
  if (!only) return {};
  const isPlain = root.match === "all" && others.length === 0 && isBare(only);
  return isPlain ? partJson(only) : partJson(root);
}

/** Whether a part reads the same without a group around it. */
function isBare(part: Part): boolean {
  if (part.what === "raw") return !/^\{\s*"\$|^\{\s*\}/.test(part.json);
  return part.what === "condition";
}

function partJson(part: Part): Json {
  if (part.what === "condition") return conditionFilter(part.condition);
  if (part.what === "raw") return parseJson(part.json) as Json;
  return { [KEYS[part.match]]: part.parts.map(partJson) };
}

/** The tree of a filter. What cannot be built is a part that stays JSON. */
export function treeOf(filter: Json): Group {
  const group = numbered(rootOf(filter), 1);
  if (partsBelow(group).length <= MOST_PARTS) return group;
  return numbered({ ...NO_FILTER, parts: [raw(filter)] }, 1);
}

function rootOf(filter: Json): Group {
  const part = partOf(filter, 1);
  if (part.what === "group") return part;
  const isEmpty = isObject(filter) && Object.keys(filter).length === 0;
  return { ...NO_FILTER, parts: isEmpty ? [] : [part] };
}

/** Ids are given at the end. */
function partOf(filter: Json, depth: number): Part {
  const condition = readCondition(filter);
  if (condition) return { id: 0, what: "condition", condition };
  return groupOf(filter, depth) ?? raw(filter);
}

function groupOf(filter: Json, depth: number): Group | undefined {
  if (!isObject(filter) || depth > MOST_DEPTH) return undefined;
  const members = Object.entries(filter);
  const [only, ...others] = members;
  if (!only) return undefined;
  const inside = (match: Match, filters: readonly Json[]): Group => ({
    id: 0,
    what: "group",
    match,
    parts: filters.map((one) => partOf(one, depth + 1)),
  });
  // All members of one object must hold.
  if (others.length > 0) {
    const parts = members.map(([key, value]): Json => ({ [key]: value }));
    return inside("all", parts);
  }
  const [key, list] = only;
  const match = (Object.keys(KEYS) as Match[]).find((name) => KEYS[name] === key);
  const isList = Array.isArray(list) && list.length > 0;
  return match && isList ? inside(match, list) : undefined;
}

function raw(filter: Json): Part {
  return { id: 0, what: "raw", json: JSON.stringify(filter) };
}

/** What a view asks for, as one tree. */
export function treeOfView({ conditions, filter }: Pick<View, "conditions" | "filter">): Group {
  const own = filter === undefined ? NO_FILTER : treeOf(readFilter(filter));
  if (conditions.length === 0) return own;
  const first = conditions.map((condition): Part => ({ id: 0, what: "condition", condition }));
  const rest = own.match === "all" ? own.parts : [own];
  return numbered({ ...NO_FILTER, parts: [...first, ...rest] }, 1);
}

/** A tree as a view has it: conditions that must all hold, and the rest as JSON. */
export function viewOfTree(root: Group): Pick<View, "conditions" | "filter"> {
  const tree = pruned(root);
  if (tree.parts.length === 0) return { conditions: [], filter: undefined };
  if (tree.match !== "all") return { conditions: [], filter: JSON.stringify(treeJson(tree)) };
  const conditions = tree.parts.flatMap((part) =>
    part.what === "condition" ? [part.condition] : [],
  );
  const rest = tree.parts.filter(({ what }) => what !== "condition");
  const [only, ...others] = rest;
  if (!only) return { conditions, filter: undefined };
  // Without conditions before it, a group that is alone would take the place of its own group.
  const isAnyOrNone = only.what === "group" && only.match !== "all" && conditions.length > 0;
  const isAlone = others.length === 0 && (isAnyOrNone || isBare(only));
  const filter = isAlone ? partJson(only) : { $and: rest.map(partJson) };
  return { conditions, filter: JSON.stringify(filter) };
}
