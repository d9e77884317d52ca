import { useState } from "react";
import type { RowAt } from "./useRows";

/** The rows that somebody marked, to do something with all of them. */
export interface Marks {
  /** The marked objects; if all match, they are not listed. */
  ids: ReadonlySet<number>;
  /** Whether all objects of the list are marked, also those that were never loaded. */
  all: boolean;
  has: (id: number) => boolean;
  /** Marks a row or not; with `extends_` also those since the last one. */
  toggle: (id: number | undefined, position: number, extends_: boolean, rowAt: RowAt) => void;
  markAll: () => void;
  clear: () => void;
}

export function useMarks(): Marks {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  const [last, setLast] = useState(0);
  const toggle: Marks["toggle"] = (id, position, extends_, rowAt) => {
    if (id === undefined) return;
    const next = new Set(all ? [] : ids);
    setAll(false);
    if (extends_) {
      for (let at = Math.min(last, position); at <= Math.max(last, position); at += 1) {
        const row = rowAt(at);
        if (row) next.add(row.id);
      }
    } else if (!next.delete(id)) next.add(id);
    setIds(next);
    setLast(position);
  };
  return {
    ids,
    all,
    has: (id) => all || ids.has(id),
    toggle,
    markAll: () => setAll(true),
    clear: () => {
      setIds(new Set());
      setAll(false);
    },
  };
}
