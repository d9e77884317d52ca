/** Which colours states and verdicts have. */
import type { Import } from "~/api/records";
import type { Verdict } from "~/model/importProgress";

export type Variant = "plain" | "success" | "warning" | "danger";

export function stateVariant(state: Import["state"]): Variant {
  if (state === "done") return "success";
  if (state === "failed") return "danger";
  return state === "cancelled" ? "warning" : "plain";
}

const VARIANTS: Record<Verdict, Variant> = {
  new: "success",
  update: "success",
  unchanged: "plain",
  missing: "warning",
  duplicate: "warning",
  error: "danger",
  undone: "plain",
  kept: "warning",
};

export function verdictVariant(verdict: Verdict): Variant {
  return VARIANTS[verdict];
}
