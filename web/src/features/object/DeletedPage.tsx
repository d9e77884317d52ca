import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNames } from "~/actions/useNames";
import { deletionsQuery } from "~/api/history";
import { objectsByIdQuery } from "~/api/objectNames";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { stillGone } from "~/model/deleted";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { Select } from "~/ui/Select";
import styles from "./DeletedPage.module.css";
import { DeletedRow } from "./DeletedRow";

interface Props {
  /** Only objects of this type. */
  type: number | undefined;
  onType: (type: number | undefined) => void;
}

/** No type has this id. */
const ALL = "";

/** Objects that were deleted, the last one first, and the way to bring them back. */
export function DeletedPage({ type, onType }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const log = useInfiniteQuery(deletionsQuery(type));
  const deletions = log.data?.pages.flatMap(({ results }) => results) ?? [];
  const ids = [...new Set(deletions.flatMap(({ public_id }) => public_id ?? []))];
  const there = useQuery(objectsByIdQuery(ids)).data;
  const gone = ids.length === 0 || there ? stillGone(deletions, there ?? []) : [];
  const names = useNames(gone);
  const isComplete = log.data !== undefined && !log.hasNextPage;
  const error = log.error;
  return (
    <Page title={texts.timeline.deletedObjects} hint={texts.timeline.deletedObjectsHint}>
      <div className={styles.filter}>
        <Select
          label={texts.type}
          options={[
            { id: ALL, label: texts.auditLog.all },
            ...types.map(({ public_id, label, name }) => ({
              id: String(public_id),
              label: label || name,
            })),
          ]}
          value={String(type ?? ALL)}
          onChange={(id) => onType(id === ALL ? undefined : Number(id))}
        />
      </div>
      {error && <ProblemAlert error={error} onRetry={() => log.refetch()} />}
      {log.isPending && <p>{texts.loading}</p>}
      {isComplete && gone.length === 0 && <p>{texts.timeline.noneDeleted}</p>}
      <ul className={styles.list}>
        {gone.map((deletion) => (
          <DeletedRow
            key={deletion.public_id}
            deletion={deletion}
            type={types.find(({ public_id }) => public_id === deletion.type_id)}
            actor={names.actor(deletion.actor)}
          />
        ))}
      </ul>
      {log.hasNextPage && (
        <div>
          <Button isPending={log.isFetchingNextPage} onPress={() => log.fetchNextPage()}>
            {texts.timeline.older}
          </Button>
        </div>
      )}
    </Page>
  );
}
