import { expect, test } from "vitest";
import { changedFields, faultsByField, merge } from "./draft";

const values = (entries: Record<string, unknown>) => new Map(Object.entries(entries));

test("only what changed is sent", () => {
  const before = values({ a: 1, b: null, c: { $date: 5 } });
  expect(changedFields(before, values({ a: 2, b: "", c: { $date: 5 } }))).toEqual([
    { name: "a", value: 2 },
  ]);
});

test("changes of different fields are joined", () => {
  const base = values({ a: 1, b: 1, c: 1 });
  const merged = merge(base, values({ a: 2, b: 1, c: 1 }), values({ a: 1, b: 3, c: 1 }));
  expect(merged.conflicts.size).toBe(0);
  expect(Object.fromEntries(merged.values)).toEqual({ a: 2, b: 3, c: 1 });
});

test("different changes of a field are a conflict, equal ones are not", () => {
  const base = values({ a: 1, b: 1 });
  const merged = merge(base, values({ a: 2, b: 4 }), values({ a: 3, b: 4 }));
  expect(Object.fromEntries(merged.conflicts)).toEqual({ a: 3 });
  expect(merged.values.get("a")).toBe(2);
});

test("faults reach the fields that were sent", () => {
  const faults = [
    { pointer: "/fields/1/value", detail: "too long" },
    { pointer: "/fields", detail: "x is required" },
  ];
  expect(faultsByField(faults, [{ name: "a" }, { name: "b" }])).toEqual(
    values({ b: "too long", "": "x is required" }),
  );
});
