import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, Undo2 } from "lucide-react";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { refusedRowsUrl, runImportMutation, undoImportMutation } from "~/api/imports";
import { typesQuery } from "~/api/objectTypes";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { canRun, hasWritten, leftCount, refusedCount } from "~/model/importProgress";
import { runAgain } from "~/model/importSource";
import { ProblemAlert } from "~/ui/Alert";
import { Button, buttonClass } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { download } from "~/ui/download";
import { Panel } from "~/ui/Page";
import styles from "./imports.module.css";
import { RowsPanel } from "./rows/RowsPanel";
import { useRepairs } from "./rows/useRepairs";
import { MissingPanel } from "./source/MissingPanel";

interface Props {
  shown: Import;
  onColumns: () => void;
}

/** What an import did, and what can follow. */
export function ResultStep({ shown, onColumns }: Props) {
  const { texts, number } = useLocale();
  // If nothing is written, all rows are checked again instead.
  const isAnew = canRun(shown);
  const again = useMutation(runImportMutation(shown.id));
  const runRefused = () => {
    if (!shown.plan) return;
    const body = runAgain(shown.plan, shown.plan.policy, isAnew);
    again.mutate(isAnew ? body : { ...body, only: "failed" });
  };
  const repairs = useRepairs(shown, runRefused);
  const { imports } = texts;
  const refused = refusedCount(shown);
  const left = leftCount(shown);
  return (
    <>
      <Panel title={titleOf(shown, imports)}>
        <Summary shown={shown} />
        {left > 0 && <p>{imports.notReached(left, number(left))}</p>}
        <NextSteps shown={shown} onColumns={onColumns} />
      </Panel>
      <MissingPanel shown={shown} />
      <Panel title={refused > 0 ? imports.repair : imports.rows}>
        {refused > 0 && (
          <div className={styles.actions}>
            <span>{imports.refused(refused, number(refused))}</span>
            <Button onPress={runRefused} isPending={again.isPending} isDisabled={repairs.count > 0}>
              {isAnew ? imports.checkAgain : imports.runAgain}
            </Button>
          </div>
        )}
        {again.error && <ProblemAlert error={again.error} />}
        <RowsPanel
          shown={shown}
          inWork={repairs}
          saveLabel={isAnew ? imports.saveAndCheck : imports.saveAndRun}
        />
      </Panel>
    </>
  );
}

type Texts = ReturnType<typeof useLocale>["texts"]["imports"];

function titleOf({ state }: Import, texts: Texts): string {
  if (state === "done") return texts.done;
  if (state === "undone") return texts.undoneTitle;
  return state === "cancelled" ? texts.cancelledTitle : texts.failedTitle;
}

function Summary({ shown }: { shown: Import }) {
  const { texts, number } = useLocale();
  const { imports } = texts;
  const { counts, state, error } = shown;
  const kept = counts["kept"] ?? 0;
  const isUndone = state === "undone";
  return (
    <div role="status" className={styles.form}>
      {error && <p className={styles.alert}>{error}</p>}
      {isUndone && !error && <p>{imports.undoneText}</p>}
      {isUndone && kept > 0 && (
        <p className={styles.alert}>{imports.keptText(kept, number(kept))}</p>
      )}
      {hasWritten(shown) && (
        <p>{imports.doneText(number(counts["new"] ?? 0), number(counts["update"] ?? 0))}</p>
      )}
      {hasWritten(shown) && state !== "done" && <p>{imports.writtenStays}</p>}
    </div>
  );
}

function NextSteps({ shown, onColumns }: Props) {
  const { texts } = useLocale();
  const rights = useRights();
  const types = useQuery(typesQuery).data;
  const [isUndoing, setIsUndoing] = useState(false);
  const { imports } = texts;
  const type = types?.find(({ public_id }) => public_id === shown.plan?.type_id);
  const mayUndo = (["delete", "edit", "view"] as const).every((right) =>
    rights.has(`base.framework.object.${right}`),
  );
  return (
    <div className={styles.actions}>
      {type && (
        <Link
          to="/objects"
          search={{ type: type.public_id }}
          className={buttonClass(hasWritten(shown) ? "primary" : "plain")}
        >
          {imports.showObjects(type.label || type.name)}
        </Link>
      )}
      {canRun(shown) && <Button onPress={onColumns}>{imports.again}</Button>}
      {refusedCount(shown) > 0 && (
        <Button onPress={() => download(refusedRowsUrl(shown.id))}>
          <Download size={14} aria-hidden="true" />
          {imports.download}
        </Button>
      )}
      {hasWritten(shown) && mayUndo && (
        <Button onPress={() => setIsUndoing(true)}>
          <Undo2 size={14} aria-hidden="true" />
          {imports.undo}
        </Button>
      )}
      <Link to="/imports/new" className={buttonClass()}>
        {imports.another}
      </Link>
      {isUndoing && <UndoDialog shown={shown} onClose={() => setIsUndoing(false)} />}
    </div>
  );
}

function UndoDialog({ shown, onClose }: { shown: Import; onClose: () => void }) {
  const { texts } = useLocale();
  const undo = useMutation({
    ...undoImportMutation(shown.id),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={texts.imports.undo}
      isOpen
      onClose={onClose}
      confirmLabel={texts.imports.undo}
      onConfirm={() => undo.mutate()}
      isPending={undo.isPending}
      error={undo.error ?? undefined}
    >
      <p>{texts.imports.undoText}</p>
    </ConfirmDialog>
  );
}
