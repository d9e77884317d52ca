import { useRef, useState } from "react";
import { problemOf } from "~/api/problem";
import { idsBetween } from "~/api/rows";
import { useLocale } from "~/i18n";
import type { View } from "~/model/view";
import { toastFailure } from "~/ui/Toasts";

/** A filter takes no more ids. */
const MOST_SELECTED = 10_000;

/** The rows that somebody selected, to do something with all of them. */
export interface RowSelection {
  /** The selected objects; if all match, they are not listed. */
  ids: ReadonlySet<number>;
  /** Whether all objects of the list are selected, also those that were never loaded. */
  all: boolean;
  /** Whether the server is asked which rows are selected. */
  isPending: boolean;
  has: (id: number) => boolean;
  /** Selects a row or not; with `extends_` also those since the last one. */
  toggle: (id: number | undefined, position: number, extends_: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/** Where a row stands in the list. */
interface Place {
  id: number;
  position: number;
}

export function useRowSelection(view: View): RowSelection {
  const { texts, number } = useLocale();
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const last = useRef<Place>(undefined);
  // What was asked before another selection is out of date.
  const asked = useRef(0);
  const set = (next: ReadonlySet<number>) => {
    asked.current += 1;
    setIsPending(false);
    setAll(false);
    setIds(next);
  };
  const toggle = (place: Place) => {
    const next = new Set(all ? [] : ids);
    if (!next.delete(place.id)) next.add(place.id);
    set(next);
    last.current = place;
  };
  const extend = async (from: Place, to: Place) => {
    const known = all ? new Set<number>() : ids;
    const refuse = (why: string) => {
      toastFailure(why);
      set(known);
    };
    set(new Set([...known, to.id]));
    setIsPending(true);
    const request = asked.current;
    const between = await idsIn(view, from, to).catch(problemOf);
    if (request !== asked.current) return;
    if (!between) return refuse(texts.table.listChanged);
    if (!Array.isArray(between)) return refuse(between.detail);
    const next = new Set([...known, ...between]);
    if (next.size > MOST_SELECTED) return refuse(texts.table.tooManyMarked(number(MOST_SELECTED)));
    set(next);
    last.current = to;
  };
  return {
    ids,
    all,
    isPending,
    has: (id) => all || ids.has(id),
    toggle: (id, position, extends_) => {
      if (id === undefined) return;
      const from = last.current;
      if (extends_ && from) void extend(from, { id, position });
      else toggle({ id, position });
    },
    selectAll: () => {
      set(new Set());
      setAll(true);
    },
    clear: () => {
      set(new Set());
      last.current = undefined;
    },
  };
}

/** The rows between two, these included; nothing if they no longer stand where they stood. */
async function idsIn(view: View, from: Place, to: Place): Promise<number[] | undefined> {
  const [first, end] = from.position <= to.position ? [from, to] : [to, from];
  // One more than can be selected is enough to say so.
  const until = Math.min(end.position, first.position + MOST_SELECTED);
  const ids = await idsBetween(view, first.position, until);
  const isThere = ids[0] === first.id && (until < end.position || ids.at(-1) === end.id);
  return isThere ? ids : undefined;
}
