import { useMemo } from "react";
import { useLatest } from "~/actions/useLatest";

type Handlers = object;

/** The same functions in every render; they call those of the last one. */
export function useStable<T extends Handlers>(handlers: T): T {
  const latest = useLatest(handlers);
  return useMemo(
    () =>
      new Proxy(latest, {
        get: (ref, name) => Reflect.get(ref.current, name),
      }) as unknown as T,
    [latest],
  );
}
