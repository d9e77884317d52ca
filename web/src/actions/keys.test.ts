import { expect, test } from "vitest";
import { keysText, matchOf, strokeOf } from "./keys";

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

const press = (key: string, modifiers: object = {}) => strokeOf({ key, ...NONE, ...modifiers });

test("a stroke is a key with its modifiers", () => {
  expect(press("e")).toBe("e");
  expect(press("K", { ctrlKey: true })).toBe("mod+k");
  expect(press("k", { metaKey: true })).toBe("mod+k");
  expect(press("Shift")).toBeUndefined();
  expect(press("?", { shiftKey: true })).toBe("?");
  expect(press("Z", { ctrlKey: true, shiftKey: true })).toBe("mod+shift+z");
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
