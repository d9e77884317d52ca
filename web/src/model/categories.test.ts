import { expect, test } from "vitest";
import type { Category } from "~/api/records";
import { applyMoves, childrenOf, endOrder, entryOf, movesOf, stepTarget } from "./categories";

const category = (
  public_id: number,
  parent: number | null,
  order: number | null,
  types: number[] = [],
): Category => ({
  public_id,
  parent,
  types,
  name: `c${public_id}`,
  label: `C${public_id}`,
  meta: { icon: "", order },
});

// 1 has 2 (types 7, 8) and 3; 4 is beside it.
const tree = [
  category(1, null, 1),
  category(2, 1, 1, [7, 8]),
  category(3, 1, 2),
  category(4, null, 2, [9]),
];

test("keys tell categories and types apart", () => {
  expect(entryOf("c12")).toEqual({ category: 12, type: undefined });
  expect(entryOf("c12-t3")).toEqual({ category: 12, type: 3 });
  expect(entryOf("t3")).toEqual({ category: undefined, type: 3 });
  expect(entryOf("other")).toEqual({ category: undefined, type: undefined });
});

test("a category goes before another one, and all beside it are numbered anew", () => {
  const changes = movesOf(tree, ["c3"], { key: "c2", position: "before" });
  expect(changes).toEqual([
    { id: 3, order: 1 },
    { id: 2, order: 2 },
  ]);
  const after = applyMoves(tree, changes ?? []);
  expect(childrenOf(after, 1).map(({ public_id }) => public_id)).toEqual([3, 2]);
});

test("a category goes below another one, at its end", () => {
  expect(movesOf(tree, ["c4"], { key: "c1", position: "on" })).toEqual([
    { id: 4, parent: 1, order: 3 },
  ]);
  expect(movesOf(tree, ["c2"], { position: "top" })).toEqual([{ id: 2, parent: null, order: 3 }]);
});

test("no category goes below itself or a type, and one beside itself stays", () => {
  expect(movesOf(tree, ["c1"], { key: "c2", position: "on" })).toBeUndefined();
  expect(movesOf(tree, ["c1"], { key: "c3", position: "after" })).toBeUndefined();
  expect(movesOf(tree, ["c1"], { key: "c1", position: "before" })).toEqual([]);
  expect(movesOf(tree, ["c1"], { key: "c4-t9", position: "on" })).toBeUndefined();
});

test("a type goes to another category, or to another place in its own", () => {
  expect(movesOf(tree, ["c2-t7"], { key: "c4", position: "on" })).toEqual([
    { id: 2, types: [8] },
    { id: 4, types: [9, 7] },
  ]);
  expect(movesOf(tree, ["c2-t7"], { key: "c2-t8", position: "after" })).toEqual([
    { id: 2, types: [8, 7] },
  ]);
  expect(movesOf(tree, ["t5"], { key: "c4-t9", position: "before" })).toEqual([
    { id: 4, types: [5, 9] },
  ]);
  expect(movesOf(tree, ["c2-t7"], { key: "other", position: "on" })).toEqual([
    { id: 2, types: [8] },
  ]);
});

test("a step moves by one place or one level", () => {
  expect(stepTarget(tree, "c2", "up")).toBeUndefined();
  expect(stepTarget(tree, "c2", "down")).toEqual({ key: "c3", position: "after" });
  expect(stepTarget(tree, "c3", "in")).toEqual({ key: "c2", position: "on" });
  expect(stepTarget(tree, "c3", "out")).toEqual({ key: "c1", position: "after" });
  expect(stepTarget(tree, "c2-t8", "up")).toEqual({ key: "c2-t7", position: "before" });
  expect(stepTarget(tree, "c4", "out")).toBeUndefined();
});

test("a new category goes behind the others, whatever their orders are", () => {
  expect(endOrder(tree, 1)).toBe(3);
  expect(endOrder(tree, 4)).toBe(1);
  expect(endOrder([category(1, null, 7), category(2, null, null)], null)).toBe(8);
});
