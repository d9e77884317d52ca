import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { neighboursQuery } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType } from "~/api/records";
import { referrerCountsQuery } from "~/api/references";
import { useLocale } from "~/i18n";
import { Missing } from "~/kinds/reference/Missing";
import type { InventoryRecord } from "~/model/record";
import { pointersOf } from "~/model/references";
import { ProblemAlert } from "~/ui/Alert";
import { Panel } from "~/ui/Page";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./References.module.css";
import { Referrers } from "./Referrers";

interface Props {
  record: InventoryRecord;
  /** The time in the past that is shown; nothing for now. */
  asOf: string | undefined;
}

/** What the object points to, and what points to it. */
export function References({ record, asOf }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery);
  if (types.error && !types.data)
    return <ProblemAlert error={types.error} onRetry={() => types.refetch()} />;
  if (!types.data) return <p className={styles.soft}>{texts.loading}</p>;
  return (
    <>
      <PointsTo record={record} asOf={asOf} types={types.data} />
      <UsedBy record={record} asOf={asOf} types={types.data} />
    </>
  );
}

interface PartProps extends Props {
  types: readonly ObjectType[];
}

function PointsTo({ record, asOf, types }: PartProps) {
  const { texts, number } = useLocale();
  const titles = useQuery(neighboursQuery(record.id, asOf)).data?.titles ?? {};
  const pointers = pointersOf(record, titles);
  return (
    <Panel
      title={
        <>
          {texts.object.pointsTo} <span className={styles.soft}>{number(pointers.length)}</span>
        </>
      }
    >
      {pointers.length === 0 && <p className={styles.soft}>{texts.object.pointsToNothing}</p>}
      <dl className={styles.pointers}>
        {pointers.map(({ field, label, value, target }) => (
          <div key={field}>
            <dt className={styles.soft}>{label}</dt>
            <dd>
              {target ? (
                <Link
                  to="/objects/$id"
                  params={{ id: String(target.id) }}
                  search={asOf === undefined ? {} : { as_of: asOf }}
                  className={styles.link}
                >
                  <TypeIcon name={iconOf(types, target.type)} />
                  <span>{target.summary}</span>
                </Link>
              ) : (
                <Missing value={value} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function UsedBy({ record, asOf, types }: PartProps) {
  const { texts, number } = useLocale();
  const counts = useQuery(referrerCountsQuery(record.id, asOf));
  const total = counts.data?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel
      title={
        <>
          {texts.object.usedBy}{" "}
          {total !== undefined && <span className={styles.soft}>{number(total)}</span>}
        </>
      }
    >
      {counts.error && <ProblemAlert error={counts.error} onRetry={() => counts.refetch()} />}
      {counts.isPending && <p className={styles.soft}>{texts.loading}</p>}
      {total === 0 && <p className={styles.soft}>{texts.notReferenced}</p>}
      {counts.data?.map((group) => (
        <Referrers
          key={group.type}
          id={record.id}
          group={group}
          asOf={asOf}
          type={types.find((type) => type.public_id === group.type)}
        />
      ))}
    </Panel>
  );
}

function iconOf(types: readonly ObjectType[], id: number | undefined): string | null {
  return types.find((type) => type.public_id === id)?.render_meta.icon ?? null;
}
