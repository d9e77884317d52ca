import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows beyond each edge of the screen. */
const OVERSCAN = 6;
/** Scrolling by fewer rows draws nothing again. */
const STEP = 3;
/** Chromium lays out no element that is higher. */
const MAXIMUM_HEIGHT = 33_000_000;

interface Props {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  height: number;
  /** What stands above the rows on the screen. */
  before: number;
}

/** What is on the screen. */
interface Screen {
  first: number;
  last: number;
  /** How far down the rows stand above the place that their number gives. */
  shift: number;
  /** How many rows a key turns over. */
  page: number;
}

/** The rows on the screen and around it: all have the same height, so that their places need no list. */
export function useRowWindow({ scroller, count, height, before }: Props) {
  const [screen, setScreen] = useState<Screen>({ first: 0, last: -1, shift: 0, page: 1 });
  const whole = count * height;
  const total = Math.min(whole, MAXIMUM_HEIGHT);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const read = () => {
      const { scrollTop, clientHeight } = element;
      const next = screenOf({ scrollTop, room: clientHeight - before, count, height });
      setScreen((known) => (isSame(known, next) ? known : next));
    };
    read();
    element.addEventListener("scroll", read, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", read);
      observer.disconnect();
    };
  }, [scroller, count, height, before]);
  /** Scrolls as little as shows the whole row. */
  const reveal = (row: number) => {
    const element = scroller.current;
    if (!element) return;
    const room = element.clientHeight - before;
    const scale = scaleOf(whole, room);
    const top = row * height;
    const offset = element.scrollTop * scale;
    if (top < offset) element.scrollTo({ top: top / scale });
    else if (top + height > offset + room) {
      element.scrollTo({ top: (top + height - room) / scale });
    }
  };
  return { ...screen, total, reveal };
}

interface Scrolled {
  scrollTop: number;
  room: number;
  count: number;
  height: number;
}

/** The rows to draw for a position of the scroll bar. */
export function screenOf({ scrollTop, room, count, height }: Scrolled): Screen {
  const offset = scrollTop * scaleOf(count * height, room);
  const top = Math.floor(offset / height / STEP) * STEP;
  const bottom = Math.ceil((offset + room) / height / STEP) * STEP;
  return {
    first: Math.max(0, Math.min(top, count - 1) - OVERSCAN),
    last: Math.min(count - 1, bottom + OVERSCAN),
    shift: offset - scrollTop,
    page: Math.max(1, Math.floor(room / height)),
  };
}

/** How many pixels of the rows each pixel of the scroll bar stands for. */
function scaleOf(whole: number, room: number): number {
  return whole > MAXIMUM_HEIGHT ? (whole - room) / (MAXIMUM_HEIGHT - room) : 1;
}

function isSame(left: Screen, right: Screen): boolean {
  const names = ["first", "last", "shift", "page"] as const;
  return names.every((name) => left[name] === right[name]);
}
