/** The objects that were opened last in this tab: only their ids, because rights may change. */
import { useSyncExternalStore } from "react";

const STORED = "stockroom.recent";
const KEPT = 8;

const listeners = new Set<() => void>();
let recent = read();

/** The ids of the objects that were opened last, the newest first. */
export function useRecent(): readonly number[] {
  return useSyncExternalStore(subscribe, () => recent);
}

export function rememberObject(id: number) {
  if (recent[0] === id) return;
  recent = [id, ...recent.filter((known) => known !== id)].slice(0, KEPT);
  sessionStorage.setItem(STORED, JSON.stringify(recent));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function read(): readonly number[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter(Number.isSafeInteger).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}
