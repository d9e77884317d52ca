/** Which colours states and statuses have. */
import type { Import } from "~/api/records";
import type { ResultStatus } from "~/model/importProgress";

export type Variant = "plain" | "success" | "warning" | "danger";

export function stateVariant(state: Import["state"]): Variant {
  if (state === "done") return "success";
  if (state === "failed") return "danger";
  return state === "cancelled" ? "warning" : "plain";
}

const VARIANTS: Record<ResultStatus, Variant> = {
  new: "success",
  update: "success",
  unchanged: "plain",
  missing: "warning",
  duplicate: "warning",
  error: "danger",
  undone: "plain",
  kept: "warning",
};

export function statusVariant(status: ResultStatus): Variant {
  return VARIANTS[status];
}
