import { type MouseEvent, type PointerEvent, useRef } from "react";

const HOLD_MS = 500;
/** A finger that moves further scrolls. */
const STILL_PX = 10;

/** Handlers that call `onHold` for a finger that stays. */
export function useLongPress(onHold: () => void) {
  const hold = useRef<{ timer: number; x: number; y: number; isDone: boolean }>(undefined);
  const end = () => window.clearTimeout(hold.current?.timer);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === "mouse") return;
      const begun = { timer: 0, x: event.clientX, y: event.clientY, isDone: false };
      begun.timer = window.setTimeout(() => {
        begun.isDone = true;
        onHold();
      }, HOLD_MS);
      hold.current = begun;
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x = 0, y = 0 } = hold.current ?? {};
      if (Math.hypot(clientX - x, clientY - y) > STILL_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The menu of a link, and the click after it, belong to another gesture.
    onContextMenu: (event: MouseEvent) => hold.current && event.preventDefault(),
    onClickCapture: (event: MouseEvent) => {
      if (!hold.current?.isDone) return;
      hold.current.isDone = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
