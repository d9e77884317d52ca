import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { categoriesQuery } from "~/api/categories";
import { useLocale } from "~/i18n";
import type { InventoryRecord } from "~/model/record";
import { pathTo } from "~/model/tree";
import { Breadcrumbs } from "~/ui/Breadcrumbs";
import { TypeIcon } from "~/ui/TypeIcon";
import { FromSources } from "./FromSources";
import { ObjectActions } from "./ObjectActions";
import styles from "./ObjectPage.module.css";

interface Props {
  record: InventoryRecord;
  /** The record is an earlier state, so nothing can be done with it. */
  isPast: boolean;
}

/** What the object is, where it belongs, and what can be done with it. */
export function Header({ record, isPast }: Props) {
  const { texts, time } = useLocale();
  const categories = useQuery(categoriesQuery).data ?? [];
  const { created, changed, editor } = record;
  const facts = [
    `#${record.id}`,
    created && `${texts.createdBy(record.author)}, ${time(created)}`,
    changed && editor && `${texts.changedBy(editor)}, ${time(changed)}`,
  ];
  return (
    <header className={styles.header}>
      <Breadcrumbs
        items={[
          ...pathTo(record.type.id, categories).map(({ public_id, label, name }) => ({
            id: `c${public_id}`,
            content: label || name,
          })),
          {
            id: "type",
            content: (
              <Link to="/objects" search={{ type: record.type.id }} className={styles.type}>
                <TypeIcon name={record.type.icon} />
                {record.type.label}
              </Link>
            ),
          },
        ]}
      />
      <div className={styles.heading}>
        <h1>
          {record.summary}
          {!record.isActive && <span className={styles.inactive}>{texts.inactive}</span>}
        </h1>
        {!isPast && <ObjectActions record={record} />}
      </div>
      <p className={styles.soft}>
        {facts.filter(Boolean).join(" · ")}
        {!isPast && <FromSources id={record.id} />}
      </p>
    </header>
  );
}
