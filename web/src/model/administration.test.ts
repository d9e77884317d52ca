import { expect, test } from "vitest";
import { mayOpen, openScreens } from "./administration";

test("rights decide on the screens", () => {
  expect(openScreens(new Set())).toEqual([]);
  expect(openScreens(new Set(["base.framework.log.view"]))).toEqual(["history"]);
  expect(mayOpen("categories", new Set(["base.framework.category.view"]))).toBe(false);
});
