import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GoBackDialog } from "~/actions/GoBackDialog";
import { useNames } from "~/actions/useNames";
import { changesQuery, type Goal } from "~/api/history";
import { useLocale } from "~/i18n";
import type { AuditSearch } from "~/model/auditLog";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import styles from "./auditLog.module.css";
import { ChangeEntry } from "./ChangeEntry";

interface Props {
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

/** The changes that match, page after page. */
export function Changes({ search, onSearch }: Props) {
  const { texts } = useLocale();
  const log = useInfiniteQuery(changesQuery(search));
  const [goal, setGoal] = useState<Goal>();
  const changes = log.data?.pages.flatMap((page) => page.results) ?? [];
  const names = useNames(changes);
  return (
    <>
      {log.error && <ProblemAlert error={log.error} onRetry={() => log.refetch()} />}
      {log.isPending && <p>{texts.loading}</p>}
      {log.data && changes.length === 0 && !log.hasNextPage && <p>{texts.auditLog.empty}</p>}
      <ol className={styles.changes}>
        {changes.map((change) => (
          <ChangeEntry
            key={`${change.resource} ${change.public_id} ${change.user_id} ${change.identifier} ${change.revision}`}
            change={change}
            names={names}
            onGoBack={setGoal}
            onRequest={(request) => onSearch({ request })}
          />
        ))}
      </ol>
      {log.hasNextPage && (
        <div>
          <Button isPending={log.isFetchingNextPage} onPress={() => log.fetchNextPage()}>
            {texts.auditLog.more}
          </Button>
        </div>
      )}
      {goal && <GoBackDialog goal={goal} names={names} onClose={() => setGoal(undefined)} />}
    </>
  );
}
