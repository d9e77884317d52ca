import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Preferences, preferencesQuery, savePreferences } from "~/api/preferences";
import { problemOf } from "~/api/problem";
import { meQuery } from "~/api/session";
import { toastFailure } from "~/ui/Toasts";

/** What the UI remembers of the caller; a change shows at once. */
export function usePreferences() {
  const queries = useQueryClient();
  const user = useQuery(meQuery).data?.user.public_id ?? 0;
  const query = preferencesQuery(user);
  const stored = useQuery({ ...query, enabled: user > 0 }).data;
  const preferences = stored ?? {};
  const change = async (part: Preferences) => {
    const next = { ...preferences, ...part };
    queries.setQueryData(query.queryKey, next);
    try {
      await savePreferences(user, next, stored === null);
    } catch (error) {
      toastFailure(problemOf(error).detail);
      await queries.invalidateQueries({ queryKey: query.queryKey });
    }
  };
  return { preferences, change: (part: Preferences) => void change(part) };
}
