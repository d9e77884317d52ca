import { type RefObject, useInsertionEffect, useRef } from "react";

/** What the last render was given, for handlers and effects; rendering must not read it. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  // Before any other effect, which may read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
