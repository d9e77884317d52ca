import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useRights } from "~/actions/rights";
import { changedQuery } from "~/api/live";
import { userNamesQuery } from "~/api/users";
import { useLocale } from "~/i18n";

/** Who changed an object while the page was open, and when. */
export interface ForeignNote {
  isFresh: boolean;
  text: string;
}

/** What to say of the objects that others changed, by their ids. */
export function useForeignChanges(): ReadonlyMap<number, ForeignNote> {
  const { texts, time } = useLocale();
  const mayName = useRights().has("base.user-management.user.view");
  const changed = useQuery(changedQuery).data;
  const actors = [...new Set([...(changed?.values() ?? [])].map(({ actor }) => actor))];
  const named = actors.filter((actor) => actor > 0);
  const names = useQuery({
    ...userNamesQuery(named),
    enabled: mayName && named.length > 0,
  }).data;
  return useMemo(() => {
    const entries = [...(changed ?? [])].map(([id, { actor, at, isFresh }]) => {
      const name = names?.get(actor) ?? texts.user(String(actor));
      // Times of the API are in UTC.
      const text = texts.table.changedBy(name, time(new Date(`${at}Z`)));
      return [id, { isFresh, text }] as const;
    });
    return new Map(entries);
  }, [changed, names, texts, time]);
}
