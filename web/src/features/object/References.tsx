import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { neighboursQuery, typesQuery } from "~/api/queries";
import { type ReferrerCount, referrerCountsQuery, referrersQuery } from "~/api/references";
import type { ObjectType } from "~/api/types";
import { useLocale } from "~/i18n";
import { Button } from "~/kit/Button";
import { ProblemNotice } from "~/kit/Notice";
import { Panel } from "~/kit/Page";
import { TypeIcon } from "~/kit/TypeIcon";
import { summaryOf } from "~/model/object";
import type { InventoryRecord } from "~/model/record";
import { pointersOf, referringFields } from "~/model/references";
import styles from "./References.module.css";

interface Props {
  record: InventoryRecord;
  /** The time in the past that is shown; nothing for now. */
  asOf: string | undefined;
}

/** What the object points to, and what points to it. */
export function References({ record, asOf }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery);
  if (types.error) return <ProblemNotice error={types.error} onRetry={() => types.refetch()} />;
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
  const labels = useQuery(neighboursQuery(record.id, asOf)).data?.labels ?? {};
  const pointers = pointersOf(record, labels);
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
                texts.missingTarget(value)
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
      {counts.error && <ProblemNotice error={counts.error} onRetry={() => counts.refetch()} />}
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

interface ReferrersProps {
  id: number;
  group: ReferrerCount;
  asOf: string | undefined;
  type: ObjectType | undefined;
}

/** The objects of one type that point to the object. */
function Referrers({ id, group, asOf, type }: ReferrersProps) {
  const { texts, number } = useLocale();
  const headingId = useId();
  const list = useInfiniteQuery(referrersQuery(id, group.type, asOf));
  const pages = list.data?.pages ?? [];
  const shown = pages.reduce((sum, { results }) => sum + results.length, 0);
  const name = type?.label || type?.name || `#${group.type}`;
  return (
    <section className={styles.group} aria-labelledby={headingId}>
      <h3 id={headingId} className={styles.type}>
        <TypeIcon name={type?.render_meta.icon ?? null} />
        {name}
        <span className={styles.soft}>{number(group.count)}</span>
      </h3>
      {list.error && <ProblemNotice error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <p className={styles.soft}>{texts.loading}</p>}
      <ul className={styles.list}>
        {pages.flatMap(({ results, labels }) =>
          results.map((object) => (
            <li key={object.public_id}>
              <Link
                to="/objects/$id"
                params={{ id: String(object.public_id) }}
                search={asOf === undefined ? {} : { as_of: asOf }}
              >
                {summaryOf(object, type, labels) || `#${object.public_id}`}
              </Link>
              <p className={styles.soft}>{referringFields(object, id, type).join(", ")}</p>
            </li>
          )),
        )}
      </ul>
      {list.hasNextPage && (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
            {texts.object.moreReferrers(name, number(group.count - shown))}
          </Button>
        </div>
      )}
    </section>
  );
}

function iconOf(types: readonly ObjectType[], id: number | undefined): string | null {
  return types.find((type) => type.public_id === id)?.render_meta.icon ?? null;
}
