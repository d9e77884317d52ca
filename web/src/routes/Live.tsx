import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { countsKey } from "~/api/aggregates";
import { categoriesQuery } from "~/api/categories";
import { isOwnRequest } from "~/api/client";
import { changedQuery, followChanges } from "~/api/live";
import { objectKeys } from "~/api/objects";
import { typeKeys } from "~/api/objectTypes";
import type { Change } from "~/api/records";
import { meQuery } from "~/api/session";
import { viewsQuery } from "~/api/views";
import { may } from "~/model/rights";

const SHOWN_MS = 4_000;

/** The queries that show records of a resource. */
const SHOWN_BY: Record<string, readonly QueryKey[]> = {
  object: [objectKeys.lists, countsKey],
  type: [typeKeys.all, typeKeys.each, objectKeys.lists],
  category: [categoriesQuery.queryKey],
  view: [viewsQuery.queryKey],
};

/** Reads again what others change, and what the same user changes elsewhere. */
export function Live() {
  const queries = useQueryClient();
  const me = useQuery(meQuery).data;
  const isVisible = useVisibility();
  const isAllowed = may(me, "base.framework.log.view");
  useEffect(() => {
    if (!isAllowed || !isVisible) return;
    const end = new AbortController();
    const show = (changes: readonly Change[]) => {
      // What this tab writes, it reads again at once.
      const others = changes.filter(({ request_id }) => !isOwnRequest(request_id));
      if (others.length === 0) return;
      const keys = new Set(others.flatMap(({ resource }) => SHOWN_BY[resource] ?? []));
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
      const changed = others.flatMap(({ resource, public_id: id, actor, at }) =>
        resource === "object" && id ? [{ id, actor, at }] : [],
      );
      const highlight = (isFresh: boolean) =>
        queries.setQueryData(changedQuery.queryKey, (before) => {
          const after = new Map(before);
          for (const { id, actor, at } of changed) {
            // A later change of the same object stays as fresh as it is.
            const isNewer = (after.get(id)?.at ?? "") > at;
            if (!isNewer) after.set(id, { actor, at, isFresh });
          }
          return after;
        });
      for (const { id } of changed)
        void queries.invalidateQueries({ queryKey: objectKeys.one(id) });
      if (changed.length === 0) return;
      highlight(true);
      setTimeout(() => highlight(false), SHOWN_MS);
    };
    void followChanges(end.signal, show);
    return () => end.abort();
  }, [queries, isAllowed, isVisible]);
  return null;
}

/** Browsers open few connections to a server; a page in the background needs none. */
function useVisibility(): boolean {
  const queries = useQueryClient();
  const [isVisible, setIsVisible] = useState(() => !document.hidden);
  useEffect(() => {
    const change = () => {
      setIsVisible(!document.hidden);
      if (!document.hidden) void queries.invalidateQueries();
    };
    document.addEventListener("visibilitychange", change);
    return () => document.removeEventListener("visibilitychange", change);
  }, [queries]);
  return isVisible;
}
