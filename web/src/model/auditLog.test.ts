import { expect, test } from "vitest";
import type { Change } from "~/api/records";
import { auditSearch, changesFilter, loginsFilter, mayRestore, namedIn } from "./auditLog";

test("an address that makes no sense shows everything", () => {
  expect(auditSearch({ from: "9999-99-99", to: "2026-13-01" })).toEqual({});
  expect(auditSearch({ view: "x", resource: "dog", id: -1, from: "soon", request: "" })).toEqual(
    {},
  );
  expect(auditSearch({ resource: "user", id: 3, actor: 0, request: 42, to: "2026-01-31" })).toEqual(
    {
      resource: "user",
      id: 3,
      actor: 0,
      request: "42",
      to: "2026-01-31",
    },
  );
});

test("a filter names members of changes", () => {
  expect(changesFilter({})).toBe("{}");
  const search = { resource: "user", id: 3, action: "delete", via: "session" } as const;
  expect(JSON.parse(changesFilter(search))).toEqual({
    resource: "user",
    public_id: 3,
    action: "delete",
    via: "session",
  });
  expect(JSON.parse(changesFilter({ type: 4 }))).toEqual({ resource: "object", type_id: 4 });
  expect(JSON.parse(changesFilter({ resource: "setting", id: 3 }))).toEqual({
    resource: "setting",
    user_id: 3,
  });
});

test("both days of a range are included", () => {
  const { at } = JSON.parse(loginsFilter({ from: "2026-01-31", to: "2026-01-31" }));
  expect(Date.parse(`${at.$lt}Z`) - Date.parse(`${at.$gte}Z`)).toBe(24 * 60 * 60 * 1000);
});

test("changes name objects and users", () => {
  const changes = [
    { resource: "object", public_id: 7, actor: 2 },
    { resource: "user", public_id: 1, actor: 0 },
    { resource: "setting", user_id: 5, actor: 2 },
  ] as Change[];
  expect(namedIn(changes)).toEqual({ objects: [7], users: [1, 2, 5] });
});

test("only who may write may restore", () => {
  expect(mayRestore("group", new Set(["base.framework.object.edit"]))).toBe(false);
  expect(mayRestore("object", new Set(["base.framework.object.edit"]))).toBe(true);
  expect(mayRestore("user", new Set(["base.user-management.user.edit"]))).toBe(true);
});
