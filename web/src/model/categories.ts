/** Moves in the tree of categories and types, as the changes that they need. */
import type { Category } from "~/api/records";
import { byOrder } from "./tree";

/** What a move changes of a category; members that stay are missing. */
export interface CategoryChange {
  id: number;
  parent?: number | null;
  order?: number;
  types?: number[];
}

/** Where something goes: below a category, beside an entry, or to the top. */
export type Target = { key: string; position: "on" | "before" | "after" } | { position: "top" };

export type Direction = "up" | "down" | "in" | "out";

/** An entry of the tree by its key, as `treeOf` makes them: `c1`, `c1-t2`, `t2`, or `other`. */
export interface Entry {
  category: number | undefined;
  type: number | undefined;
}

export function entryOf(key: string): Entry {
  const [, category, type] = /^(?:c(\d+))?-?(?:t(\d+))?$/.exec(key) ?? [];
  return {
    category: category === undefined ? undefined : Number(category),
    type: type === undefined ? undefined : Number(type),
  };
}

/** The categories below one, or at the top, in their order. */
export function childrenOf(categories: readonly Category[], parent: number | null): Category[] {
  return categories.filter((category) => category.parent === parent).toSorted(byOrder);
}

/** The order that puts a category after all others of a parent. */
export function endOrder(categories: readonly Category[], parent: number | null): number {
  return Math.max(0, ...childrenOf(categories, parent).map(({ meta }) => meta.order ?? 0)) + 1;
}

/** The ids of a category and of all below it. */
export function withDescendants(categories: readonly Category[], id: number): Set<number> {
  const found = new Set([id]);
  for (const { public_id } of childrenOf(categories, id)) {
    for (const below of withDescendants(categories, public_id)) found.add(below);
  }
  return found;
}

/** The changes that bring entries to a target; `undefined` if they cannot go there. */
export function movesOf(
  categories: readonly Category[],
  keys: readonly string[],
  target: Target,
): CategoryChange[] | undefined {
  const entries = keys.map(entryOf);
  const types = entries.filter(({ type }) => type !== undefined);
  if (types.length > 0 && types.length < entries.length) return undefined;
  if (types.length > 0) return typeMoves(categories, types, target);
  const ids = entries.flatMap(({ category }) => category ?? []);
  return categoryMoves(categories, ids, target);
}

function categoryMoves(
  categories: readonly Category[],
  ids: readonly number[],
  target: Target,
): CategoryChange[] | undefined {
  const byId = new Map(categories.map((category) => [category.public_id, category]));
  const place = target.position === "top" ? undefined : entryOf(target.key);
  // Beside a type is below its category, at the end.
  const isBeside = target.position !== "top" && target.position !== "on" && !place?.type;
  const beside = isBeside ? byId.get(place?.category ?? 0) : undefined;
  if (isBeside && !beside) return undefined;
  const parent = beside ? beside.parent : (place?.category ?? null);
  if (target.position === "on" && place?.type !== undefined) return undefined;
  const isBelowItself = ids.some(
    (id) => parent !== null && withDescendants(categories, id).has(parent),
  );
  if (isBelowItself) return undefined;
  if (beside && ids.includes(beside.public_id)) return [];
  const siblings = childrenOf(categories, parent)
    .map(({ public_id }) => public_id)
    .filter((id) => !ids.includes(id));
  const index = beside ? siblings.indexOf(beside.public_id) : siblings.length;
  siblings.splice(target.position === "after" ? index + 1 : index, 0, ...ids);
  return siblings.flatMap((id, place) => {
    const before = byId.get(id);
    const order = place + 1;
    const change: CategoryChange = {
      id,
      ...(before?.parent === parent ? {} : { parent }),
      ...(before?.meta.order === order ? {} : { order }),
    };
    return Object.keys(change).length > 1 ? [change] : [];
  });
}

function typeMoves(
  categories: readonly Category[],
  entries: readonly Entry[],
  target: Target,
): CategoryChange[] {
  const place = target.position === "top" ? undefined : entryOf(target.key);
  const types = entries.flatMap(({ type }) => type ?? []);
  return categories.flatMap((category) => {
    const id = category.public_id;
    const left = entries.filter((entry) => entry.category === id).map(({ type }) => type);
    let after = category.types.filter((type) => !left.includes(type));
    if (place?.category === id) {
      after = after.filter((type) => !types.includes(type));
      const at = place.type === undefined ? -1 : after.indexOf(place.type);
      const index = at < 0 ? after.length : at + (target.position === "after" ? 1 : 0);
      after.splice(index, 0, ...types);
    }
    return JSON.stringify(after) === JSON.stringify(category.types) ? [] : [{ id, types: after }];
  });
}

/** Where an entry goes by one step; nothing at the end of the way. */
export function stepTarget(
  categories: readonly Category[],
  key: string,
  direction: Direction,
): Target | undefined {
  const { category: id, type } = entryOf(key);
  const own = categories.find(({ public_id }) => public_id === id);
  if (!own) return undefined;
  const position = direction === "up" ? "before" : "after";
  if (type !== undefined) {
    if (direction === "in" || direction === "out") return undefined;
    const other = own.types[own.types.indexOf(type) + (direction === "up" ? -1 : 1)];
    return other === undefined ? undefined : { key: `c${id}-t${other}`, position };
  }
  if (direction === "out") {
    return own.parent === null ? undefined : { key: `c${own.parent}`, position: "after" };
  }
  const siblings = childrenOf(categories, own.parent);
  const index = siblings.indexOf(own) + (direction === "down" ? 1 : -1);
  const other = siblings[index];
  if (!other) return undefined;
  return { key: `c${other.public_id}`, position: direction === "in" ? "on" : position };
}

/** The categories as they will be. */
export function applyMoves(
  categories: readonly Category[],
  changes: readonly CategoryChange[],
): Category[] {
  return categories.map((category) => {
    const change = changes.find(({ id }) => id === category.public_id);
    if (!change) return category;
    const { parent = category.parent, order = category.meta.order, types } = change;
    return {
      ...category,
      parent,
      types: types ?? category.types,
      meta: { ...category.meta, order },
    };
  });
}
