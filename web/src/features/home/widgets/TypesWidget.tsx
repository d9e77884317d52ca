import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countsQuery } from "~/api/aggregates";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "../Dashboard.module.css";
import { Card } from "./Card";

/** All types with the number of their objects. */
export function TypesWidget() {
  const { texts, number } = useLocale();
  const types = useQuery(typesQuery);
  const counts = useQuery(countsQuery).data;
  return (
    <Card title={texts.types} isWide error={types.error} isLoading={!types.data}>
      <ul className={styles.types}>
        {types.data?.map((type) => (
          <li key={type.public_id}>
            <Link to="/objects" search={{ type: type.public_id }} className={styles.type}>
              <TypeIcon name={type.render_meta.icon} size={18} />
              <span className={styles.name}>{type.label || type.name}</span>
              {counts && (
                <span className={styles.soft}>{number(counts.get(type.public_id) ?? 0)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
