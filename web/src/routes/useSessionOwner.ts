import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLatest } from "~/actions/useLatest";
import { onSessionEnd, serverUrl } from "~/api/client";
import { problemOf } from "~/api/problem";
import { meQuery, onSessionChange } from "~/api/session";

/**
 * Whose page this is. The same user may come back to it after the session has ended; whoever else
 * is at the browser then gets a new page.
 */
export function useSessionOwner(user: number | undefined) {
  const queries = useQueryClient();
  const [owner, setOwner] = useState(user);
  const [hasEnded, setHasEnded] = useState(false);
  const [hasLeft, setHasLeft] = useState(false);
  if (owner === undefined && user !== undefined) setOwner(user);
  const isLeaving = hasLeft || (owner !== undefined && user !== undefined && user !== owner);
  // Once nothing is on the screen: no form may ask whether to stay.
  useEffect(() => {
    if (!isLeaving) return;
    queries.clear();
    sessionStorage.clear();
    location.assign(serverUrl);
  }, [isLeaving, queries]);
  const leave = () => setHasLeft(owner !== undefined);
  /** Asks who is logged in now. */
  const check = async () => {
    try {
      const { user: now } = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
      if (now.public_id !== owner) return;
      setHasEnded(false);
      await queries.invalidateQueries();
    } catch (error) {
      if (problemOf(error).status !== 401) throw error;
      setHasEnded(owner !== undefined);
    }
  };
  // A request of an ended session may be answered when the next one has begun.
  const isVerifying = useRef(false);
  const verify = async () => {
    if (isVerifying.current) return;
    isVerifying.current = true;
    await check().catch(() => setHasEnded(true));
    isVerifying.current = false;
  };
  const latest = useLatest({ check, verify, leave, isLeaving });
  useEffect(
    () => (owner === undefined ? undefined : onSessionEnd(() => void latest.current.verify())),
    [owner, latest],
  );
  useEffect(
    () =>
      onSessionChange((change) => {
        if (change === "logout") latest.current.leave();
        else latest.current.check().catch(() => undefined);
      }),
    [latest],
  );
  useHiddenUntilChecked(() => (isLeaving ? Promise.reject() : check()));
  return { hasEnded, isLeaving, check, leave };
}

/** A browser shows a page that was left as it was, before anybody knows who is there now. */
function useHiddenUntilChecked(check: () => Promise<void>) {
  const latest = useLatest(check);
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const hide = () => {
      document.body.style.visibility = "hidden";
    };
    const show = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      latest.current().then(
        () => setShown((times) => times + 1),
        () => location.reload(),
      );
    };
    addEventListener("pagehide", hide);
    addEventListener("pageshow", show);
    return () => {
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", show);
    };
  }, [latest]);
  // Together with what the check led to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another check is the reason
  useEffect(() => {
    document.body.style.visibility = "";
  }, [shown]);
}
