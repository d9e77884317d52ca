import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark } from "lucide-react";
import { usePreferences } from "~/actions/usePreferences";
import { viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { searchOf } from "~/model/view";
import styles from "./PinnedViews.module.css";

/** The saved views that the caller wants at hand. */
export function PinnedViews() {
  const { texts } = useLocale();
  const views = useQuery(viewsQuery).data ?? [];
  const { preferences } = usePreferences();
  const pinned = (preferences.pinned_views ?? []).flatMap(
    (id) => views.find((view) => view.public_id === id) ?? [],
  );
  if (pinned.length === 0) return null;
  return (
    <section aria-label={texts.table.savedViews} className={styles.pinned}>
      <h2 className={styles.title}>{texts.table.savedViews}</h2>
      <ul>
        {pinned.map((view) => (
          <li key={view.public_id}>
            <Link to="/objects" search={searchOf(view)} className={styles.view}>
              <Bookmark size={14} aria-hidden="true" />
              {view.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
