import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** The screens of daily work. */
const SCREENS = ["/objects", "/objects/$id", "/objects/$id/edit"] as const;
/** For browsers that do not say when they are idle. */
const AFTER_MS = 1_000;

/** Reads the code of screens before they are opened, so that no click waits for it. */
export function Preload() {
  const router = useRouter();
  useEffect(() => {
    const load = () => SCREENS.map((id) => router.loadRouteChunk(router.routesById[id]));
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(load, AFTER_MS);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, [router]);
  return null;
}
