import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { objectsQuery } from "~/api/objects";
import { viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { filterOf } from "~/model/filter";
import { searchOf, viewOf } from "~/model/view";
import styles from "../Dashboard.module.css";
import { Card } from "./Card";

/** How many objects a saved view shows. */
export function CountWidget({ view: id }: { view: number }) {
  const { texts, number } = useLocale();
  const view = useQuery(viewsQuery).data?.find(({ public_id }) => public_id === id);
  const filter = view && filterOf(viewOf(searchOf(view)));
  const list = useQuery({
    ...objectsQuery({ ...(filter === undefined ? {} : { filter }), limit: 1, page: 1 }),
    enabled: view !== undefined,
  });
  if (!view) return <Card title={texts.dashboard.gone}>{texts.dashboard.goneHint}</Card>;
  return (
    <Card title={view.name} error={list.error} isLoading={!list.data}>
      <Link to="/objects" search={searchOf(view)} className={styles.number}>
        {number(list.data?.total ?? 0)}
      </Link>
      {view.description && <p className={styles.soft}>{view.description}</p>}
    </Card>
  );
}
