import { expect, test } from "vitest";
import type { Right } from "~/api/records";
import { effectiveRights, filterRights, grant, grantOf, revoke, rightsTree } from "./groupRights";

const right = (name: string): Right => ({
  name,
  label: name,
  description: "",
  level: 0,
  is_master: name.endsWith(".*"),
});
const rights = ["base.*", "base.a.*", "base.a.x.*", "base.a.x.view", "base.a.x.edit", "base.b.*"];
const list = [...rights, "base.b.view"].map(right);
const tree = rightsTree(list);

test("rights are below the closest master", () => {
  const [base] = tree;
  expect(tree).toHaveLength(1);
  expect(base?.children.map(({ right }) => right.name)).toEqual(["base.a.*", "base.b.*"]);
  expect(base?.children[0]?.children[0]?.children.map(({ right }) => right.name)).toEqual([
    "base.a.x.view",
    "base.a.x.edit",
  ]);
});

test("a master grants all below it", () => {
  expect(effectiveRights(list, new Set(["base.a.*"]))).toEqual([
    "base.a.*",
    "base.a.x.*",
    "base.a.x.view",
    "base.a.x.edit",
  ]);
  expect(effectiveRights(list, new Set(["base.a.x.view"]))).toEqual(["base.a.x.view"]);
});

test("a node knows whether it is granted itself, from above, or in part", () => {
  const [base] = tree;
  const a = base?.children[0];
  if (!base || !a) throw new Error("the tree is not complete");
  expect(grantOf(a, new Set(["base.a.*"]))).toBe("own");
  expect(grantOf(a, new Set(["base.*"]))).toBe("covered");
  expect(grantOf(base, new Set(["base.a.x.view"]))).toBe("some");
  expect(grantOf(a, new Set(["base.b.view"]))).toBe("none");
});

test("granting a master replaces what is below it", () => {
  const granted = grant(new Set(["base.a.x.view", "base.b.view"]), "base.a.*");
  expect([...granted]).toEqual(["base.b.view", "base.a.*"]);
});

test("revoking one right of a master keeps the others", () => {
  expect([...revoke(tree, new Set(["base.*"]), "base.a.x.edit")]).toEqual([
    "base.a.x.view",
    "base.b.*",
  ]);
  expect([...revoke(tree, new Set(["base.a.x.view", "base.b.*"]), "base.a.*")]).toEqual([
    "base.b.*",
  ]);
});

test("a filter keeps the masters above what matches", () => {
  const [base] = filterRights(tree, "x.edit");
  expect(base?.children.map(({ right }) => right.name)).toEqual(["base.a.*"]);
});
