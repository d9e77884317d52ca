/** Which colours states and verdicts have. */
import type { Import } from "~/api/imports";
import type { Verdict } from "~/model/importProgress";

export type Look = "plain" | "success" | "warning" | "danger";

export function stateLook(state: Import["state"]): Look {
  if (state === "done") return "success";
  if (state === "failed") return "danger";
  return state === "cancelled" ? "warning" : "plain";
}

const LOOKS: Record<Verdict, Look> = {
  new: "success",
  update: "success",
  unchanged: "plain",
  missing: "warning",
  duplicate: "warning",
  error: "danger",
  undone: "plain",
  kept: "warning",
};

export function verdictLook(verdict: Verdict): Look {
  return LOOKS[verdict];
}
