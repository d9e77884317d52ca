import { expect, test } from "vitest";
import { cleaningOf } from "./clean";
import { emptyType } from "./typeDraft";

const type = {
  ...emptyType(1, ""),
  fields: [
    { type: "text", name: "host", label: "Host" },
    { type: "text", name: "site", label: "Site" },
  ],
};
const object = (...fields: [string, string | null][]) => ({
  fields: fields.map(([name, value]) => ({ name, value })),
});

test("cleaning takes unknown and repeated fields and adds missing ones", () => {
  const { removed, added } = cleaningOf(
    [
      object(["host", "a"], ["rack", null]),
      object(["host", "b"], ["site", "x"], ["rack", "R1"], ["host", "c"]),
    ],
    type,
  );
  expect(removed).toEqual([
    { name: "rack", label: "rack", objects: 2, values: 1, example: "R1" },
    { name: "host", label: "host", objects: 1, values: 1, example: "c" },
  ]);
  expect(added).toEqual([
    { name: "site", label: "Site", objects: 1, values: 0, example: undefined },
  ]);
});
