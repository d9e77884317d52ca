import { expect, test } from "vitest";
import { keysText, matchOf, strokeOf } from "./keys";

const press = (key: string, modifiers: object = {}) =>
  strokeOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

test("a stroke is a key with its modifiers", () => {
  expect(press("e")).toBe("e");
  expect(press("K", { ctrlKey: true })).toBe("mod+k");
  expect(press("k", { metaKey: true })).toBe("mod+k");
  expect(press("Shift")).toBeUndefined();
  expect(press("?")).toBe("?");
});

test("keys may be a sequence", () => {
  expect(matchOf("g o", ["g"])).toBe("part");
  expect(matchOf("g o", ["g", "o"])).toBe("whole");
  expect(matchOf("g o", ["o"])).toBe("none");
  expect(matchOf("e", ["e"])).toBe("whole");
});

test("keys are shown as on the keyboard", () => {
  expect(keysText("mod+k", false)).toEqual(["Ctrl K"]);
  expect(keysText("g o", true)).toEqual(["G", "O"]);
});
