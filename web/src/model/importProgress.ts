/** How far an import is. */
import type { Import } from "~/api/records";

export type ImportStep = "columns" | "check" | "result";

const RUNNING: readonly Import["state"][] = ["uploading", "checking", "importing", "undoing"];

export function isRunning({ state }: Pick<Import, "state">): boolean {
  return RUNNING.includes(state);
}

/** The statuses that a row can have, in the order in which people read them. */
export const STATUSES = [
  "new",
  "update",
  "unchanged",
  "missing",
  "duplicate",
  "error",
  "undone",
  "kept",
] as const;

export type ResultStatus = (typeof STATUSES)[number];

/** A status of a row of the file. */
export type RowStatus = Exclude<ResultStatus, "missing">;

/** What an undo takes back. */
const WRITTEN: readonly ResultStatus[] = ["new", "update", "missing"];

/** The statuses that some row has, with how many. After an undo, no row counts twice. */
export function countsOf(shown: Pick<Import, "counts" | "state">): [ResultStatus, number][] {
  const isUndone = shown.state === "undone";
  return STATUSES.filter((status) => !isUndone || !WRITTEN.includes(status))
    .map((status): [ResultStatus, number] => [status, shown.counts[status] ?? 0])
    .filter(([, count]) => count > 0);
}

/** The results of rows alone. Before an undo, only objects of missing records are kept. */
export function rowCountsOf(shown: Pick<Import, "counts" | "state">): [RowStatus, number][] {
  const isKeptRow = shown.state === "undone";
  return countsOf(shown).filter(
    (entry): entry is [RowStatus, number] =>
      entry[0] !== "missing" && (entry[0] !== "kept" || isKeptRow),
  );
}

/** How many known records the file lacks. */
export function missingCount({ counts, state }: Pick<Import, "counts" | "state">): number {
  return state === "undone" ? 0 : (counts["missing"] ?? 0) + (counts["kept"] ?? 0);
}

/** How many rows can be repaired. */
export function refusedCount({ counts }: Pick<Import, "counts">): number {
  return (counts["error"] ?? 0) + (counts["duplicate"] ?? 0);
}

/** How many rows the last step did not come to. */
export function leftCount(shown: Pick<Import, "counts" | "rows" | "state">): number {
  const done = rowCountsOf(shown).reduce((sum, [, count]) => sum + count, 0);
  return Math.max(0, shown.rows - done);
}

type Step = Pick<Import, "state" | "counts" | "plan">;

/** Whether the last step wrote objects that are still there. */
export function hasWritten({ state, counts, plan }: Step): boolean {
  const ofRows = (counts["new"] ?? 0) + (counts["update"] ?? 0);
  const ofMissing = plan?.source ? (counts["missing"] ?? 0) + (counts["kept"] ?? 0) : 0;
  const wrote = ofRows + ofMissing > 0;
  return wrote && !["checked", "undone"].includes(state) && plan?.dry_run === false;
}

/** Whether all rows can be checked or imported now. */
export function canRun(step: Step): boolean {
  if (["ready", "checked", "undone"].includes(step.state)) return true;
  return ["failed", "cancelled"].includes(step.state) && !hasWritten(step);
}

/** The screen that an import is at. */
export function stepOf(step: Step): ImportStep {
  if (step.state === "ready" || step.state === "uploading") return "columns";
  if (step.state === "checking" || step.state === "checked") return "check";
  // A check that failed or was cancelled has nothing to show but its reason.
  return step.plan?.dry_run ? "check" : "result";
}

export interface Pace {
  rowsPerSecond: number;
  secondsLeft: number;
}

/** How fast the step is. Both times are the server's: the browser's clock may differ. */
export function paceOf(step: Pick<Import, "progress" | "rows" | "started_at">, now: string) {
  if (step.started_at === null) return undefined;
  const seconds = (Date.parse(`${now}Z`) - Date.parse(`${step.started_at}Z`)) / 1_000;
  const done = step.progress * step.rows;
  // The first moments say nothing.
  if (!(seconds > 1) || done === 0) return undefined;
  const rowsPerSecond = done / seconds;
  const pace: Pace = { rowsPerSecond, secondsLeft: (step.rows - done) / rowsPerSecond };
  return pace;
}
