import { useSyncExternalStore } from "react";

/** The width below which lists are cards and panels take the screen, as in the style sheets. */
export const NARROW = "(max-width: 640px)";

/** Whether a media query holds; only for what style sheets cannot decide. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
  );
}
