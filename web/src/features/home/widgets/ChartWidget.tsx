import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { facetsQuery } from "~/api/aggregates";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { hasValue } from "~/model/filter/condition";
import { fieldsOf } from "~/model/object";
import styles from "../Dashboard.module.css";
import { Card } from "./Card";

/** Smaller groups are not drawn. */
const BARS = 10;

/** The objects of a type by the values of a field; a bar leads to its objects. */
export function ChartWidget({ type: typeId, field: name }: { type: number; field: string }) {
  const { texts, number } = useLocale();
  const type = useQuery(typesQuery).data?.find(({ public_id }) => public_id === typeId);
  const field = fieldsOf(type).find((field) => field.name === name);
  const path = `fields.${name}`;
  const groups = useQuery({
    ...facetsQuery(path, JSON.stringify({ type_id: typeId })),
    enabled: field !== undefined,
  });
  if (!type || !field) return <Card title={texts.dashboard.gone}>{texts.dashboard.goneHint}</Card>;
  const bars = [...(groups.data ?? [])].slice(0, BARS);
  const most = Math.max(...bars.map(([, count]) => count), 1);
  const title = texts.dashboard.chartTitle(type.label || type.name, field.label || field.name);
  return (
    <Card title={title} error={groups.error} isLoading={!groups.data}>
      <ul className={styles.bars}>
        {bars.map(([value, count]) => (
          <li key={value} className={styles.row}>
            <Link
              to="/objects"
              search={{
                type: typeId,
                where: [hasValue(path, value)],
              }}
            >
              {kindOf(field).format(value, field) || texts.form.nothing}
            </Link>
            <span className={styles.bar} style={{ width: `${(100 * count) / most}%` }} />
            <span className={styles.soft}>{number(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
