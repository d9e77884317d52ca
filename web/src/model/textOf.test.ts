import { expect, test } from "vitest";
import { summaryOf } from "./object";
import { textOf } from "./textOf";

test("odd values have a text, too", () => {
  const odd = { toString: 1, valueOf: 1 };
  expect(textOf(odd)).toBe('{"toString":1,"valueOf":1}');
  expect([null, undefined, 0, "a", [1]].map(textOf)).toEqual(["", "", "0", "a", "[1]"]);
  const type = { fields: [], render_meta: { summary: { fields: ["a", "b"] } } };
  const object = {
    fields: [
      { name: "a", value: odd },
      { name: "b", value: 0 },
    ],
  };
  expect(summaryOf(object as never, type as never)).toBe('{"toString":1,"valueOf":1} | 0');
});
