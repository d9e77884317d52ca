import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CleanButton } from "~/actions/CleanButton";
import { uncleanQuery } from "~/api/clean";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import styles from "../Dashboard.module.css";
import { Card } from "./Card";

/** How many objects of a type do not have the fields of the type. */
export function UncleanWidget({ type: id }: { type: number }) {
  const { texts, number } = useLocale();
  const type = useQuery(typesQuery).data?.find(({ public_id }) => public_id === id);
  const unclean = useQuery(uncleanQuery(id));
  if (!type) return <Card title={texts.dashboard.gone}>{texts.dashboard.goneHint}</Card>;
  return (
    <Card
      title={texts.dashboard.uncleanTitle(type.label || type.name)}
      error={unclean.error}
      isLoading={unclean.data === undefined}
    >
      <Link to="/objects" search={{ type: id }} className={styles.number}>
        {number(unclean.data ?? 0)}
      </Link>
      <p className={styles.soft}>{texts.dashboard.uncleanHint}</p>
      {Number(unclean.data) > 0 && <CleanButton type={type} />}
    </Card>
  );
}
