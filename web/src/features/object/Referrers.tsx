import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { ObjectType } from "~/api/records";
import { type ReferrerCount, referrersQuery } from "~/api/references";
import { useLocale } from "~/i18n";
import { summaryOf } from "~/model/object";
import { referringFields } from "~/model/references";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./References.module.css";

interface Props {
  id: number;
  group: ReferrerCount;
  asOf: string | undefined;
  type: ObjectType | undefined;
}

/** The objects of one type that point to the object. */
export function Referrers({ id, group, asOf, type }: Props) {
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
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <p className={styles.soft}>{texts.loading}</p>}
      <ul className={styles.list}>
        {pages.flatMap(({ results, titles }) =>
          results.map((object) => (
            <li key={object.public_id}>
              <Link
                to="/objects/$id"
                params={{ id: String(object.public_id) }}
                search={asOf === undefined ? {} : { as_of: asOf }}
              >
                {summaryOf(object, type, titles) || `#${object.public_id}`}
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
