import { expect, test } from "vitest";
import { apiTime, localTime, momentOf, objectSearch } from "./moment";

test("an address names a revision or a time; anything else is left out", () => {
  expect(objectSearch({ tab: "history", revision: 3, as_of: "2026-01-01T00:00" })).toEqual({
    tab: "history",
    revision: 3,
  });
  expect(objectSearch({ tab: "overview", revision: -1, as_of: "yesterday" })).toEqual({});
  expect(objectSearch({ as_of: "2026-01-01T00:00:00.123456" })).toEqual({
    as_of: "2026-01-01T00:00:00.123456",
  });
});

test.each(["9999-99-99T99:99", "0000-00-00T00:00"])("%s is no time", (as_of) => {
  expect(objectSearch({ as_of })).toEqual({});
});

test("no parameter means now", () => {
  expect(momentOf({})).toBeUndefined();
  expect(momentOf({ revision: 2 })).toEqual({ revision: 2 });
  expect(momentOf({ as_of: "2026-01-01T00:00" })).toEqual({ asOf: "2026-01-01T00:00" });
});

test("local times and those of the API turn into each other", () => {
  const local = "2026-03-04T05:06:07";
  const time = apiTime(local);
  expect(time).toMatch(/^2026-03-0\dT\d\d:06:07\.000$/);
  expect(localTime(time ?? "")).toBe(local);
  expect(apiTime("")).toBeUndefined();
});
