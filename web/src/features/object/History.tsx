import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GoBackDialog } from "~/actions/GoBackDialog";
import { useNames } from "~/actions/useNames";
import type { Goal } from "~/api/history";
import { objectHistoryQuery } from "~/api/objectHistory";
import { nativeObjectQuery } from "~/api/objects";
import type { FieldDefinition } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import type { Moment } from "~/model/moment";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { AsOfForm } from "./AsOfForm";
import styles from "./History.module.css";
import { HistoryEntry } from "./HistoryEntry";
import { RestoreConflicts } from "./RestoreConflicts";
import { useRestore } from "./useRestore";

interface Props {
  id: number;
  name: string;
  /** The id of the object's type. */
  type: number;
  isDeleted?: boolean;
  /** The state that the page shows; nothing for that of now. */
  moment: Moment | undefined;
  onMoment: (moment: Moment) => void;
  definitionOf: (name: string) => FieldDefinition | undefined;
}

/** The changes of an object, the newest first, and ways back. */
export function History(props: Props) {
  const { id, name, type, isDeleted = false, moment, onMoment, definitionOf } = props;
  const { texts } = useLocale();
  const history = useInfiniteQuery(objectHistoryQuery(id));
  const changes = history.data?.pages.flatMap((page) => page.results) ?? [];
  const names = useNames(changes);
  const me = useQuery(meQuery).data;
  const present = useQuery({ ...nativeObjectQuery(id), enabled: !isDeleted }).data?.data;
  const restore = useRestore(id, isDeleted);
  const [goal, setGoal] = useState<Goal>();
  if (history.error && !history.data)
    return <ProblemAlert error={history.error} onRetry={() => history.refetch()} />;
  if (!history.data) return <p className={styles.soft}>{texts.loading}</p>;
  if (changes.length === 0) return <p className={styles.soft}>{texts.noHistory}</p>;
  const mayEdit = me?.types.update.includes(type) ?? false;
  const mayRestore = mayEdit && present !== undefined;
  const shown = moment && "revision" in moment ? moment.revision : undefined;
  return (
    <div className={styles.history}>
      <AsOfForm
        key={JSON.stringify(moment)}
        asOf={moment && "asOf" in moment ? moment.asOf : undefined}
        onAsOf={(asOf) => onMoment({ asOf })}
      />
      <ol className={styles.changes}>
        {changes.map((change, index) => (
          <HistoryEntry
            key={change.revision}
            id={id}
            name={name}
            change={change}
            actor={names.actor(change.actor)}
            isNewest={index === 0}
            isShown={change.revision === shown}
            present={mayRestore ? present : undefined}
            definitionOf={definitionOf}
            restore={restore}
            onRevert={mayEdit ? () => setGoal({ request: change.request_id }) : undefined}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <div>
          <Button isPending={history.isFetchingNextPage} onPress={() => history.fetchNextPage()}>
            {texts.timeline.older}
          </Button>
        </div>
      )}
      <RestoreConflicts id={id} restore={restore} definitionOf={definitionOf} />
      {goal && <GoBackDialog goal={goal} names={names} onClose={() => setGoal(undefined)} />}
    </div>
  );
}
