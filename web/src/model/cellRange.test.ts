import { expect, test } from "vitest";
import { isInRange, moved, rangeOf } from "./cellRange";

const size = { rows: 100, columns: 5, page: 10 };

test.each<[string, boolean, [number, number]]>([
  ["ArrowUp", false, [4, 2]],
  ["ArrowDown", true, [99, 2]],
  ["ArrowLeft", true, [5, 0]],
  ["End", false, [5, 4]],
  ["End", true, [99, 4]],
  ["Home", true, [0, 0]],
  ["PageDown", false, [15, 2]],
  ["PageUp", false, [0, 2]],
  ["j", false, [6, 2]],
])("%s moves (with Ctrl: %s)", (key, withMod, [row, column]) => {
  expect(moved({ row: 5, column: 2 }, key, withMod, size)).toEqual({ row, column });
});

test("a range has all cells between two corners", () => {
  const range = rangeOf({ row: 4, column: 3 }, { row: 2, column: 1 });
  expect(range).toEqual({ top: 2, bottom: 4, left: 1, right: 3 });
  expect(isInRange({ row: 3, column: 2 }, range)).toBe(true);
  expect(isInRange({ row: 5, column: 2 }, range)).toBe(false);
});
