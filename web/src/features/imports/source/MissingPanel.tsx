import { useQuery } from "@tanstack/react-query";
import type { Import } from "~/api/records";
import { MISSING_SHOWN, missingQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { missingCount } from "~/model/importProgress";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { ObjectLink } from "~/ui/ObjectLink";
import { Panel } from "~/ui/Page";
import { Table } from "~/ui/Table";
import styles from "../imports.module.css";
import { statusVariant } from "../variants";

/** The objects whose records are missing from the file of an import that is bound to a source. */
export function MissingPanel({ shown }: { shown: Import }) {
  const { texts, number } = useLocale();
  const count = missingCount(shown);
  const list = useQuery({
    ...missingQuery(shown.id, `${shown.request_id} ${shown.state}`),
    enabled: count > 0,
  });
  const { sources, imports } = texts;
  if (count === 0) return null;
  const isDry = shown.plan?.dry_run ?? false;
  return (
    <Panel title={sources.missingTitle}>
      <p>
        {isDry ? sources.wouldMiss(count, number(count)) : sources.misses(count, number(count))}
      </p>
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.data && (
        <Table
          label={sources.missingTitle}
          columns={[sources.record, sources.object, imports.status, sources.reason]}
          rows={list.data.map(({ object, external_key, status, problems }) => ({
            key: object,
            cells: [
              external_key?.join(", ") ?? texts.none,
              <ObjectLink key="object" id={object}>
                {imports.object(String(object))}
              </ObjectLink>,
              <Badge key="status" variant={statusVariant(status)}>
                {imports.statuses[status]}
              </Badge>,
              problems.map(({ detail }) => detail).join("; "),
            ],
          }))}
        />
      )}
      {count > MISSING_SHOWN && (
        <p className={styles.soft}>{sources.onlyFirst(number(MISSING_SHOWN))}</p>
      )}
    </Panel>
  );
}
