import { useQuery } from "@tanstack/react-query";
import { useNames } from "~/actions/useNames";
import { changesToQuery } from "~/api/objectHistory";
import type { Change, FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { Differences } from "~/kinds/Differences";
import { fieldDifferences } from "~/model/history";
import { dateOfApi } from "~/model/moment";
import { ProblemAlert } from "~/ui/Alert";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import styles from "./History.module.css";
import type { Restore } from "./useRestore";

interface Props {
  id: number;
  restore: Restore;
  definitionOf: (name: string) => FieldDefinition | undefined;
}

/** Asks whether later changes may be overwritten, and lists them. */
export function RestoreConflicts({ id, restore, definitionOf }: Props) {
  const { texts } = useLocale();
  const { refused } = restore;
  const revisions = refused?.conflicts.map(({ revision }) => revision) ?? [];
  const changes = useQuery({ ...changesToQuery(id, revisions), enabled: revisions.length > 0 });
  const fields = refused?.fields;
  return (
    <ConfirmDialog
      title={texts.timeline.conflictTitle}
      isOpen={refused !== undefined}
      onClose={restore.cancel}
      confirmLabel={texts.timeline.force}
      isPending={restore.isBusy}
      onConfirm={restore.force}
    >
      <p>{texts.timeline.conflictText}</p>
      {changes.error && <ProblemAlert error={changes.error} />}
      {changes.isPending && <p className={styles.soft}>{texts.loading}</p>}
      {changes.data && <Lost changes={changes.data} fields={fields} definitionOf={definitionOf} />}
    </ConfirmDialog>
  );
}

interface LostProps {
  changes: readonly Change[];
  /** The fields that are restored; all if there are none. */
  fields: readonly string[] | undefined;
  definitionOf: Props["definitionOf"];
}

function Lost({ changes, fields, definitionOf }: LostProps) {
  const { texts, number, time } = useLocale();
  const names = useNames(changes);
  return (
    <ol className={styles.lost}>
      {changes.map((change) => (
        <li key={change.revision}>
          <p className={styles.soft}>
            {texts.revision(number(change.revision))} · {names.actor(change.actor)} ·{" "}
            <time dateTime={`${change.at}Z`}>{time(dateOfApi(change.at))}</time>
          </p>
          <Differences
            differences={fieldDifferences(change.changes ?? []).filter(
              ({ name }) => !fields || (name !== undefined && fields.includes(name)),
            )}
            definitionOf={definitionOf}
          />
        </li>
      ))}
    </ol>
  );
}
