/** What the caller may do. */
import type { Me } from "~/api/records";

/** Whether the caller holds a right, itself or through a master right such as `base.*`. */
export function may(me: Me | undefined, right: string): boolean {
  return me?.rights.includes(right) ?? false;
}
