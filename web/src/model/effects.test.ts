import { expect, test } from "vitest";
import { effectCounts } from "./effects";

test("effects are counted by resource and action", () => {
  const changes = [
    { resource: "user" as const, public_id: 2, action: "update" as const },
    { resource: "user" as const, public_id: 3, action: "update" as const },
    { resource: "group" as const, public_id: 3, action: "delete" as const },
  ];
  expect(effectCounts({ changes })).toEqual([
    { resource: "user", action: "update", count: 2 },
    { resource: "group", action: "delete", count: 1 },
  ]);
});
