import { expect, test } from "vitest";
import type { Import } from "~/api/records";
import { canRun, countsOf, hasWritten, leftCount, paceOf, stepOf } from "./importProgress";

const PLAN = { type_id: 1, columns: {}, key: [], policy: "skip" } as const;

function shown(state: Import["state"], isDry: boolean, counts: Import["counts"]): Import {
  const plan = { ...PLAN, key: [], dry_run: isDry };
  return { state, plan, counts, rows: 10 } as unknown as Import;
}

test("an import is at its columns, its check or its result", () => {
  expect(stepOf(shown("ready", false, {}))).toBe("columns");
  expect(stepOf(shown("checked", true, {}))).toBe("check");
  expect(stepOf(shown("failed", true, {}))).toBe("check");
  expect(stepOf(shown("failed", false, {}))).toBe("result");
  expect(stepOf(shown("undone", false, {}))).toBe("result");
});

test("what has written must be undone before it runs again", () => {
  const stopped = shown("failed", false, { new: 2, error: 1 });
  expect([hasWritten(stopped), canRun(stopped), leftCount(stopped)]).toEqual([true, false, 7]);
  const refused = shown("failed", false, { error: 1 });
  expect([hasWritten(refused), canRun(refused)]).toEqual([false, true]);
  expect(hasWritten(shown("checked", true, { new: 9 }))).toBe(false);
});

test("after an undo no row counts twice", () => {
  expect(countsOf(shown("undone", false, { new: 2, undone: 2, error: 1 }))).toEqual([
    ["error", 1],
    ["undone", 2],
  ]);
});

test("the pace is told once it is known", () => {
  const step = { progress: 0.5, rows: 1_000, started_at: "2026-01-31T12:00:00.000000" };
  expect(paceOf(step, "2026-01-31T12:00:10.000000")).toEqual({
    rowsPerSecond: 50,
    secondsLeft: 10,
  });
  expect(paceOf({ ...step, progress: 0 }, "2026-01-31T12:00:10.000000")).toBeUndefined();
  expect(paceOf({ ...step, started_at: null }, "2026-01-31T12:00:10.000000")).toBeUndefined();
});
