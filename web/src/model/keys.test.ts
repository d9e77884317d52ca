import { expect, test } from "vitest";
import type { InventoryObject, ObjectType } from "~/api/records";
import { keysFilter, keysOf, matchKeys } from "./keys";

const type = (public_id: number, summary: string[]) =>
  ({ public_id, render_meta: { summary: { fields: summary } } }) as unknown as ObjectType;
const object = (public_id: number, type_id: number, fields: Record<string, unknown>) =>
  ({
    public_id,
    type_id,
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  }) as unknown as InventoryObject;

const TYPES = [type(1, ["serial", "name"]), type(2, []), type(3, ["serial"])];

test.each([
  ["a\nb\r\nc\n", ["a", "b", "c"]],
  [" a \t b\n\na", ["a", "b"]],
  ['"a\nb"\tc', ["a\nb", "c"]],
  ["", []],
])("the keys of %j", (text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

test("keys are asked for as values of the first field of each summary, and as ids", () => {
  expect(keysFilter(TYPES, ["SN-1", "#7", "1.5"])).toEqual({
    type_id: { $in: [1, 2, 3] },
    $or: [{ public_id: { $in: [7] } }, { "fields.serial": { $in: ["SN-1", "#7", "1.5", 1.5] } }],
  });
});

test("a field that is called as a member of stored fields is asked for as a field", () => {
  expect(keysFilter([type(1, ["name"])], ["a"])).toEqual({
    type_id: { $in: [1] },
    $or: [{ public_id: { $in: [] } }, { "values.name": { $in: ["a"] } }],
  });
});

test("a value comes before an id, and what nothing has is missing", () => {
  const objects = [
    object(7, 1, { serial: "SN-1", name: "x" }),
    object(8, 3, { serial: "7" }),
    object(9, 3, { serial: "SN-1" }),
    object(10, 2, {}),
  ];
  expect(matchKeys(["SN-1", "7", "#10", "11", "x"], objects, TYPES)).toEqual({
    ids: ["7", "9", "8", "10"],
    missing: ["11", "x"],
  });
});
