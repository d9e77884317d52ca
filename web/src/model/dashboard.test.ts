import { expect, test } from "vitest";
import { DEFAULT_WIDGETS, expiringFilter, widgetsOf } from "./dashboard";

test("what cannot be read of a stored dashboard is left out", () => {
  expect(widgetsOf(undefined)).toBe(DEFAULT_WIDGETS);
  const chart = { kind: "chart", type: 3, field: "status" };
  const never = { kind: "expiring", type: 1, field: "x", days: Number.MAX_SAFE_INTEGER };
  expect(widgetsOf([chart, { kind: "chart" }, { kind: "new" }, null, never])).toEqual([chart]);
});

test("dates are found as texts and as dates", () => {
  const filter = JSON.parse(expiringFilter(3, "until", 30, new Date("2026-01-15T10:00:00Z")));
  expect(filter.$or[0]).toEqual({ "fields.until": { $gte: "2026-01-15", $lte: "2026-02-14" } });
});
