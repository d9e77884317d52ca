import { expect, test } from "vitest";
import { definitionOf, isModified, nextSort, searchOf, viewOf, viewSearch } from "./view";

const where = [{ path: "fields.a", operator: "is", value: "1" }];

test.each<[string, Record<string, unknown>, object]>([
  [
    "a whole view",
    { type: 3, sort: "-a", where, density: "roomy" },
    { type: 3, sort: "-a", where, density: "roomy" },
  ],
  ["a search", { type: 3, q: "ham" }, { type: 3, q: "ham" }],
  ["a search that is too long", { q: "x".repeat(257) }, {}],
  ["defaults", { density: "compact", where: [] }, {}],
  ["nonsense", { type: -1, sort: 4, where: [{ path: "a" }], density: "tiny" }, {}],
  ["a type that is a text", { type: "3" }, {}],
])("reads %s from an address", (_, search, expected) => {
  expect(viewSearch(search)).toEqual(expected);
});

test("a column sorts up, down, and not at all", () => {
  let search = viewSearch({});
  const seen = [];
  for (let click = 0; click < 3; click += 1) {
    search = viewSearch({ sort: nextSort(viewOf(search).sort, "a") });
    seen.push(search.sort);
  }
  expect(seen).toEqual(["a", "-a", undefined]);
});

test("a saved view comes back as its address, and knows when it was modified", () => {
  const look = { type: 3, sort: "-a", columns: ["public_id", "fields.a"], pinned: 2 };
  const search = viewSearch({ ...look, where, filter: '{"b":1}' });
  const saved = { public_id: 9, type_id: 3, definition: definitionOf(search) };
  expect(saved.definition["filter"]).toEqual({
    $and: [{ "fields.a": { $in: ["1", 1] } }, { b: 1 }],
  });
  expect(searchOf(saved)).toEqual({ ...search, view: 9 });
  expect(isModified({ ...search, view: 9 }, saved)).toBe(false);
  expect(isModified({ ...search, sort: "a" }, saved)).toBe(true);
  // What somebody looks for once is no part of a view.
  expect(isModified({ ...search, q: "ham" }, saved)).toBe(false);
});

test("a view that another program saved opens, too", () => {
  const definition = { columns: ["fields.a"], filter: { b: 1 }, sort: "fields.a", order: -1 };
  expect(searchOf({ public_id: 9, type_id: null, definition })).toEqual({
    columns: ["fields.a"],
    filter: '{"b":1}',
    sort: "-fields.a",
    view: 9,
  });
});
