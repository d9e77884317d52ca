import { useQuery } from "@tanstack/react-query";
import { useRights } from "~/actions/rights";
import { userNamesQuery } from "~/api/history";
import { changedQuery } from "~/api/live";
import { useLocale } from "~/i18n";

/** Who changed an object while the page was open, and when; nothing if nobody else did. */
export function useForeignChange(id: number | undefined) {
  const { texts, time } = useLocale();
  const mayName = useRights().has("base.user-management.user.view");
  const change = useQuery({
    ...changedQuery,
    // Only the row that was changed is drawn again.
    select: (changed) => (id === undefined ? undefined : changed.get(id)) ?? null,
  }).data;
  const actor = change?.actor ?? 0;
  const names = useQuery({ ...userNamesQuery([actor]), enabled: mayName && actor > 0 }).data;
  if (!change) return undefined;
  const name = names?.get(actor) ?? texts.user(String(actor));
  // Times of the API are in UTC.
  return {
    isFresh: change.isFresh,
    text: texts.table.changedBy(name, time(new Date(`${change.at}Z`))),
  };
}
