import { expect, test } from "vitest";
import { fieldDifferences, isSame } from "./history";

test("when and by whom a record was written is no difference", () => {
  const changes = [
    { path: "last_edit_time.$date", before: 1, after: 2 },
    { path: "editor_id", before: null, after: 1 },
    { path: "fields.cores", before: 8, after: 32 },
    { path: "active", before: true, after: false },
  ];
  expect(fieldDifferences(changes)).toEqual([
    { path: "fields.cores", name: "cores", before: 8, after: 32 },
    { path: "active", name: undefined, before: true, after: false },
  ]);
});

test("a time is a whole value", () => {
  const [joined] = fieldDifferences([{ path: "fields.joined.$date", before: 1, after: null }]);
  expect(joined).toEqual({
    path: "fields.joined",
    name: "joined",
    before: { $date: 1 },
    after: null,
  });
});

test("a new object differs in the fields that have a value", () => {
  const after = [
    { name: "a", value: "x" },
    { name: "b", value: null },
  ];
  const changes = [
    { path: "public_id", after: 3 },
    { path: "fields", after },
  ];
  expect(fieldDifferences(changes)).toEqual([
    { path: "fields.a", name: "a", before: null, after: "x" },
  ]);
  expect(fieldDifferences([{ path: "fields", before: after }])).toEqual([
    { path: "fields.a", name: "a", before: "x", after: null },
  ]);
});

test("a missing value is the same as none", () => {
  expect(isSame(undefined, null)).toBe(true);
  expect(isSame({ $date: 1 }, { $date: 1 })).toBe(true);
  expect(isSame(0, null)).toBe(false);
});
