import { useMemo, useRef } from "react";

type Handlers = object;

/** The same functions in every render; they call those of the last one. */
export function useStable<T extends Handlers>(handlers: T): T {
  const latest = useRef(handlers);
  latest.current = handlers;
  return useMemo(
    () =>
      new Proxy(latest, {
        get: (ref, name) => Reflect.get(ref.current, name),
      }) as unknown as T,
    [],
  );
}
