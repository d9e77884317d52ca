import { expect, test } from "vitest";
import type { Category, ObjectType } from "~/api/records";
import { countOf, filterTree, keysAbove, pathTo, type TreeNode, treeOf } from "./tree";

function category(id: number, parent: number | null, types: number[], order: number | null = null) {
  const meta = { icon: "", order };
  return {
    public_id: id,
    name: `c${id}`,
    label: `Category ${id}`,
    meta,
    parent,
    types,
  } as Category;
}

function type(id: number) {
  return {
    public_id: id,
    name: `t${id}`,
    label: `Type ${id}`,
    render_meta: { icon: null },
  } as ObjectType;
}

const outline = (nodes: TreeNode[]): unknown[] =>
  nodes.map((node) => (node.children.length ? [node.label, outline(node.children)] : node.label));

const categories = [category(1, null, [1], 2), category(2, null, [9], 1), category(3, 1, [2, 1])];
const types = [type(1), type(2), type(3)];

test("a tree follows the order of the categories, and ends with what has none", () => {
  expect(outline(treeOf(categories, types, "Other"))).toEqual([
    "Category 2",
    ["Category 1", [["Category 3", ["Type 2", "Type 1"]], "Type 1"]],
    ["Other", ["Type 3"]],
  ]);
});

test("a type has categories above it in each place where the tree shows it", () => {
  const tree = treeOf(categories, types, "Other");
  expect(keysAbove(tree, 1)).toEqual([["c1", "c3"], ["c1"]]);
  expect(keysAbove(tree, 3)).toEqual([["other"]]);
  expect(keysAbove(tree, 9)).toEqual([]);
});

test("a category counts each type below it once", () => {
  const counts = new Map([
    [1, 10],
    [2, 5],
  ]);
  const tree = treeOf(categories, types, "Other");
  expect(tree.map((node) => [node.label, countOf(node, counts)])).toEqual([
    ["Category 2", 0],
    ["Category 1", 15],
    ["Other", 0],
  ]);
});

test("without categories, the types are the tree", () => {
  expect(outline(treeOf([], types, "Other"))).toEqual(["Type 1", "Type 2", "Type 3"]);
});

test("a filter keeps what leads to a match, and all below it", () => {
  const tree = treeOf(categories, types, "Other");
  expect(outline(filterTree(tree, "type 2"))).toEqual([
    ["Category 1", [["Category 3", ["Type 2"]]]],
  ]);
  expect(outline(filterTree(tree, "category 3"))).toEqual([
    ["Category 1", [["Category 3", ["Type 2", "Type 1"]]]],
  ]);
  expect(filterTree(tree, "nothing")).toEqual([]);
});

test("a type stands below its categories", () => {
  expect(pathTo(2, categories).map(({ public_id }) => public_id)).toEqual([1, 3]);
  expect(pathTo(7, categories)).toEqual([]);
});
