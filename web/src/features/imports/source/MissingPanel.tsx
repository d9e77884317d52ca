import { useQuery } from "@tanstack/react-query";
import type { Import } from "~/api/imports";
import { MISSING_SHOWN, missingQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { Badge } from "~/kit/Badge";
import { Listing } from "~/kit/Listing";
import { ProblemNotice } from "~/kit/Notice";
import { ObjectLink } from "~/kit/ObjectLink";
import { Panel } from "~/kit/Page";
import { missingCount } from "~/model/importProgress";
import styles from "../imports.module.css";
import { verdictLook } from "../looks";

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
      {list.error && <ProblemNotice error={list.error} onRetry={() => list.refetch()} />}
      {list.data && (
        <Listing
          label={sources.missingTitle}
          columns={[sources.record, sources.object, imports.verdict, sources.reason]}
          rows={list.data.map(({ object, external_key, verdict, problems }) => ({
            key: object,
            cells: [
              external_key?.join(", ") ?? texts.none,
              <ObjectLink key="object" id={object}>
                {imports.object(String(object))}
              </ObjectLink>,
              <Badge key="verdict" look={verdictLook(verdict)}>
                {imports.verdicts[verdict]}
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
