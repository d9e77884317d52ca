/** A filter as people build it: groups of conditions, and of groups. */
import { type Condition, isComplete } from "./condition";
import { OPERATORS } from "./operators";

/** Which parts of a group must hold. */
export const MATCHES = ["all", "any", "none"] as const;
export type Match = (typeof MATCHES)[number];

/** Ids are unique in a filter. */
export type Part =
  | { id: number; what: "condition"; condition: Condition }
  /** What cannot be shown as conditions stays JSON. */
  | { id: number; what: "raw"; json: string }
  | Group;

export interface Group {
  id: number;
  what: "group";
  match: Match;
  parts: readonly Part[];
}

/** How deep groups nest, the outermost included. */
export const MOST_DEPTH = 4;
export const MOST_PARTS = 100;
/** The server compiles no more patterns. */
export const MOST_PATTERNS = 16;

export const NO_FILTER: Group = { id: 1, what: "group", match: "all", parts: [] };

/** All parts below a group, in the order in which they are read. */
export function partsBelow(group: Group): Part[] {
  return group.parts.flatMap((part) =>
    part.what === "group" ? [part, ...partsBelow(part)] : [part],
  );
}

/** Puts other parts in the place of one: none removes it. */
export function replaced(group: Group, id: number, by: (part: Part) => readonly Part[]): Group {
  const parts = group.parts.flatMap((part): readonly Part[] => {
    if (part.id === id) return by(part);
    return part.what === "group" ? [replaced(part, id, by)] : [part];
  });
  return { ...group, parts };
}

/** Changes a group, also the outermost. */
export function withGroup(root: Group, id: number, change: (group: Group) => Group): Group {
  if (root.id === id) return change(root);
  return replaced(root, id, (part) => [part.what === "group" ? change(part) : part]);
}

/** Adds a part at the end of a group. */
export function added(root: Group, to: number, part: Part): Group {
  const fresh = numbered(part, lastId(root) + 1);
  return withGroup(root, to, (group) => ({ ...group, parts: [...group.parts, fresh] }));
}

/** Adds the same part once more behind itself. */
export function duplicated(root: Group, id: number): Group {
  const next = lastId(root) + 1;
  return replaced(root, id, (part) => [part, numbered(part, next)]);
}

/** The part with ids from `next` on, in the order in which they are read. */
export function numbered<P extends Part>(part: P, next: number): P {
  let id = next;
  const number = <Q extends Part>(one: Q): Q => {
    const own = { ...one, id };
    id += 1;
    return own.what === "group" ? { ...own, parts: own.parts.map(number) } : own;
  };
  return number(part);
}

/** The greatest id in a tree: the part that was added last has it. */
export function lastId(root: Group): number {
  return Math.max(root.id, ...partsBelow(root).map(({ id }) => id));
}

/** Without groups that say nothing. */
export function pruned(group: Group): Group {
  const parts = group.parts
    .map((part) => (part.what === "group" ? pruned(part) : part))
    .filter((part) => part.what !== "group" || part.parts.length > 0);
  return { ...group, parts };
}

export type TreeFault = "incomplete" | "too-many" | "too-many-patterns";

/** Why a filter cannot be applied yet. */
export function faultOf(root: Group): TreeFault | undefined {
  const parts = partsBelow(root);
  const conditions = parts.flatMap((part) => (part.what === "condition" ? [part.condition] : []));
  if (!conditions.every(isComplete)) return "incomplete";
  if (parts.length > MOST_PARTS) return "too-many";
  const patterns = conditions.filter(({ operator }) => OPERATORS[operator].isPattern);
  return patterns.length > MOST_PATTERNS ? "too-many-patterns" : undefined;
}
