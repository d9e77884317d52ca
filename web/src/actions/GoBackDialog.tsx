import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Goal, goBackMutation, wayBackQuery } from "~/api/history";
import { type Conflict, problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import { Checkbox } from "~/ui/Checkbox";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Effects } from "./Effects";
import styles from "./GoBackDialog.module.css";
import type { Names } from "./useNames";
import { useUndoToast } from "./useUndoable";

interface Props {
  goal: Goal;
  names: Names;
  onClose: () => void;
}

/** Tries the way back first: it says what would happen, or what would be overwritten. */
export function GoBackDialog({ goal, names, onClose }: Props) {
  const { texts, number } = useLocale();
  const toastDone = useUndoToast();
  const [force, setForce] = useState(false);
  const careful = useQuery(wayBackQuery({ goal, force: false }));
  const refusal = careful.isError ? problemOf(careful.error) : undefined;
  const conflicts = refusal?.status === 409 ? refusal.conflicts : [];
  const forced = useQuery({ ...wayBackQuery({ goal, force: true }), enabled: force });
  const tried = force ? forced : careful;
  const isBlocked = conflicts.length > 0 && !force;
  const go = useMutation({
    ...goBackMutation,
    onSuccess: ({ requestId }) => {
      const { restored, reverted } = texts.auditLog;
      toastDone("change" in goal ? restored(names.record(goal.change)) : reverted, requestId);
      onClose();
    },
  });
  const { restoreTitle, bringBackTitle, revertTitle, restore, bringBack, revert } = texts.auditLog;
  const isDeletion = "change" in goal && goal.change.action === "delete";
  const title = () => {
    if ("request" in goal) return revertTitle;
    const name = names.record(goal.change);
    return isDeletion ? bringBackTitle(name) : restoreTitle(name, number(goal.change.revision));
  };
  const label = () => {
    if ("request" in goal) return revert;
    return isDeletion ? bringBack : restore;
  };
  return (
    <ConfirmDialog
      title={title()}
      isOpen
      onClose={onClose}
      confirmLabel={label()}
      variant={force ? "danger" : "primary"}
      isPending={go.isPending}
      isDisabled={!tried.data}
      onConfirm={() => go.mutate({ goal, force })}
      error={go.error ?? (isBlocked ? undefined : tried.error)}
    >
      {conflicts.length > 0 && (
        <Conflicts conflicts={conflicts} names={names} isForced={force} onForce={setForce} />
      )}
      {!isBlocked && !tried.error && <Effects effects={tried.data} />}
    </ConfirmDialog>
  );
}

interface ConflictsProps {
  conflicts: readonly Conflict[];
  names: Names;
  isForced: boolean;
  onForce: (isForced: boolean) => void;
}

function Conflicts({ conflicts, names, isForced, onForce }: ConflictsProps) {
  const { texts, time } = useLocale();
  return (
    <div className={styles.conflicts}>
      <p>{texts.auditLog.conflicts}</p>
      <ul>
        {conflicts.map((change) => (
          <li key={`${change.resource} ${change.public_id} ${change.revision}`}>
            {texts.auditLog.conflict(
              names.record(change),
              texts.actions[change.action] ?? change.action,
              names.actor(change.actor),
              time(new Date(`${change.at}Z`)),
            )}
          </li>
        ))}
      </ul>
      <Checkbox label={texts.auditLog.force} isSelected={isForced} onChange={onForce} />
    </div>
  );
}
