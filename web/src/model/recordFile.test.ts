import { expect, test } from "vitest";
import { mayHoldRecords, recordBody } from "./recordFile";

const TYPE = { name: "rack", fields: [{ type: "text", name: "code", label: "" }] };

test("types, categories and groups are recognised", () => {
  for (const records of [{ types: [] }, { groups: [{ name: "a" }], more: 1 }]) {
    expect(recordBody(JSON.stringify(records))).toBe(JSON.stringify(records));
  }
  const list = JSON.stringify([TYPE, { name: "x", render_meta: {} }]);
  expect(JSON.parse(recordBody(list) ?? "")).toEqual({ types: JSON.parse(list) });
  // More digits than a script can count with.
  expect(recordBody('{"types":[{"name":"aa","default":9007199254740993}]}')).toContain(
    "9007199254740993",
  );
});

test("objects and rows are no records", () => {
  const rows = [
    [],
    { results: [TYPE] },
    { types: "a" },
    [{ type_id: 1, fields: [{ name: "code", value: "a" }] }],
    [{ name: "web-01", type: "server" }],
    [{ name: "web-01", fields: [] }],
    1,
  ];
  for (const value of rows) expect(recordBody(JSON.stringify(value))).toBeUndefined();
  expect(recordBody("name,rack")).toBeUndefined();
  expect(mayHoldRecords({ name: "a.JSON", size: 10 })).toBe(true);
  expect(mayHoldRecords({ name: "a.csv", size: 10 })).toBe(false);
  expect(mayHoldRecords({ name: "a.json", size: 2 ** 25 })).toBe(false);
});
