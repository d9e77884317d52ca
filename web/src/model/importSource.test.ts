import { expect, test } from "vitest";
import type { ImportPlan, Source } from "~/api/records";
import { fittingSources, NEW_SOURCE, runAgain, sourceBody } from "./importSource";

function source(columns: Record<string, string>, externalKey: string[]): Source {
  return { columns, external_key: externalKey } as unknown as Source;
}

test("a source fits a file that has all of its columns", () => {
  const sources = [source({ Name: "name" }, ["UUID"]), source({ Name: "name" }, [])];
  expect(fittingSources(sources, ["Name", "UUID", "Note"])).toEqual(sources);
  expect(fittingSources(sources, ["Name"])).toEqual([sources[1]]);
});

test("a run by a source goes on by it", () => {
  const plan = { type_id: 7, columns: { Name: "name" }, key: ["name"], policy: "skip" };
  const bound = { ...plan, source: { public_id: 3, name: "vcenter" } } as unknown as ImportPlan;
  expect(runAgain(bound, "all", true)).toEqual({ source: 3, dry_run: true });
  const free = { ...plan, source: null } as unknown as ImportPlan;
  expect(runAgain(free, "all", false)).toEqual({
    type_id: 7,
    columns: { Name: "name" },
    key: ["name"],
    policy: "all",
    dry_run: false,
  });
});

test("nothing can be missing without an external key", () => {
  const mapping = { goals: new Map(), key: [], policy: "skip" as const };
  const draft = { ...NEW_SOURCE, name: "hosts", missing: "delete" as const };
  expect(sourceBody(draft, mapping, 7)).toMatchObject({ missing: "keep", external_key: [] });
  const tracked = { ...draft, externalKey: ["UUID"] };
  expect(sourceBody(tracked, mapping, 7)).toMatchObject({ missing: "delete", missing_limit: 20 });
  const wrong = { ...tracked, limit: "many" };
  expect(sourceBody(wrong, mapping, 7)).toMatchObject({ missing_limit: "many" });
});
