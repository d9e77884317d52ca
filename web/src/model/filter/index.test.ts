import { describe, expect, test } from "vitest";
import { curlCommand, filterOf } from ".";
import type { Condition } from "./condition";

const condition = (operator: Condition["operator"], value: string): Condition => ({
  path: "fields.host",
  operator,
  value,
});

describe("the filter of a view", () => {
  const cases: [string, number | undefined, Condition[], unknown][] = [
    ["of everything is none", undefined, [], undefined],
    ["of a type", 3, [], { type_id: 3 }],
    [
      "takes text literally",
      undefined,
      [condition("contains", "a.b(c")],
      { "fields.host": { $regex: "a\\.b\\(c", $options: "i" } },
    ],
    [
      "finds a number however it is stored",
      undefined,
      [condition("is", "12")],
      {
        "fields.host": { $in: ["12", 12] },
      },
    ],
    ["keeps leading zeros", undefined, [condition("is", "012")], { "fields.host": "012" }],
    [
      "finds a boolean",
      undefined,
      [condition("is", "true")],
      {
        "fields.host": { $in: ["true", true] },
      },
    ],
    [
      "finds what has no value",
      undefined,
      [condition("empty", "")],
      { "fields.host": { $in: [null, ""] } },
    ],
    [
      "leaves out a value",
      undefined,
      [condition("is-not", "a")],
      { "fields.host": { $nin: ["a"] } },
    ],
    ["compares numbers", undefined, [condition("at-least", "8")], { "fields.host": { $gte: 8 } }],
    [
      "joins conditions",
      3,
      [condition("is", "x")],
      {
        $and: [{ type_id: 3 }, { "fields.host": "x" }],
      },
    ],
  ];
  test.each(cases)("%s", (_, type, conditions, expected) => {
    const filter = filterOf({ type, conditions, filter: undefined });
    expect(filter === undefined ? undefined : JSON.parse(filter)).toEqual(expected);
  });
});

test("a curl command survives quotes in its values", () => {
  const command = curlCommand("https://cmdb.example/rest/objects", { filter: `{"a":"it's"}` });
  expect(command).toContain(`'filter={"a":"it'\\''s"}'`);
});

test("a filter that somebody wrote is joined with the conditions", () => {
  const view = { type: 3, conditions: [], filter: '{"$or":[{"a":1}]}' };
  expect(JSON.parse(filterOf(view) ?? "")).toEqual({ $and: [{ type_id: 3 }, { $or: [{ a: 1 }] }] });
  expect(filterOf({ ...view, filter: "{" })).toContain('"public_id":0');
});

test.each(["name", "value", "0", "value.x"])("a field may be called %s", (name) => {
  const named: Condition = { path: `fields.${name}`, operator: "is", value: "x" };
  const filter = filterOf({ type: undefined, conditions: [named], filter: undefined });
  expect(JSON.parse(filter ?? "")).toEqual({ [`values.${name}`]: "x" });
});
