/** What the caller may do. */
import type { Me, RightName } from "~/api/records";

/** The rights that the caller holds, those that a master such as `base.*` includes among them. */
export type Rights = ReadonlySet<RightName>;

/** Whether the caller holds a right. */
export function may(me: Me | undefined, right: RightName): boolean {
  return me?.rights.includes(right) ?? false;
}
