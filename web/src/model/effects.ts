/** What a write would do, counted. */
import type { Effects } from "~/api/records";

export interface EffectCount {
  resource: string;
  action: string;
  count: number;
}

/** How many records of each resource are created, changed or deleted, in the order of the changes. */
export function effectCounts(effects: Pick<Effects, "changes">): EffectCount[] {
  const counts = new Map<string, EffectCount>();
  for (const { resource, action } of effects.changes) {
    const key = `${resource} ${action}`;
    const before = counts.get(key)?.count ?? 0;
    counts.set(key, { resource, action, count: before + 1 });
  }
  return [...counts.values()];
}
