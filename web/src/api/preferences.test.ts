import { expect, test } from "vitest";
import { preferencesOf } from "./preferences";

test("what cannot be read of stored preferences is left out", () => {
  for (const payload of [
    null,
    5,
    "x",
    [],
    {},
    { pinned_views: 5 },
    { pinned_views: [null, "1"] },
  ]) {
    expect(preferencesOf(payload).pinned_views).toEqual([]);
  }
  expect(preferencesOf({ pinned_views: [3, {}, 1.5, 7, 3] }).pinned_views).toEqual([3, 7]);
  const many = Array.from({ length: 100_000 }, (_, id) => id);
  expect(preferencesOf({ pinned_views: many }).pinned_views).toHaveLength(50);
});
