import { expect, test } from "vitest";
import { jobChanges } from "./bulk";

test("each field is set, cleared or appended to", () => {
  const changes = new Map([
    ["a", { what: "set", value: 3 } as const],
    ["b", { what: "set", value: null } as const],
    ["c", { what: "append", text: ".example" } as const],
    ["d", { what: "clear" } as const],
  ]);
  expect(jobChanges(changes)).toEqual({
    set: { a: 3 },
    append: { c: ".example" },
    clear: ["b", "d"],
  });
  expect(jobChanges(new Map())).toEqual({});
});
