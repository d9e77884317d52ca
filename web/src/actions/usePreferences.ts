import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changePreferences, type Preferences, preferencesQuery } from "~/api/preferences";
import { meQuery } from "~/api/session";
import { toastFailure } from "~/ui/Toasts";

/** What the UI remembers of the caller; a change shows at once. */
export function usePreferences() {
  const queries = useQueryClient();
  const user = useQuery(meQuery).data?.user.public_id ?? 0;
  const query = preferencesQuery(user);
  const stored = useQuery({ ...query, enabled: user > 0 }).data;
  const preferences = stored ?? {};
  const change = async (part: (stored: Preferences) => Preferences) => {
    const next = (stored: Preferences) => ({ ...stored, ...part(stored) });
    queries.setQueryData(query.queryKey, (shown) => next(shown ?? {}));
    try {
      await changePreferences(user, next);
    } catch (error) {
      toastFailure(error);
      await queries.invalidateQueries({ queryKey: query.queryKey });
    }
  };
  return {
    preferences,
    /** Changes what `part` makes of those that are stored. */
    change: (part: (stored: Preferences) => Preferences) => void change(part),
  };
}
