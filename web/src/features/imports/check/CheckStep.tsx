import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { runImportMutation } from "~/api/imports";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { leftCount, refusedCount } from "~/model/importProgress";
import { runAgain } from "~/model/importSource";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Panel } from "~/ui/Page";
import styles from "../imports.module.css";
import { PolicyRadioGroup } from "../PolicyRadioGroup";
import { RowsPanel } from "../rows/RowsPanel";
import { useRepairs } from "../rows/useRepairs";
import { MissingPanel } from "../source/MissingPanel";

interface Props {
  shown: Import;
  onColumns: () => void;
}

/** What would happen, and repairs before it does. */
export function CheckStep({ shown, onColumns }: Props) {
  const { texts, number } = useLocale();
  const [policy, setPolicy] = useState(shown.plan?.policy ?? "skip");
  const run = useMutation(runImportMutation(shown.id));
  const start = (isDry: boolean) => shown.plan && run.mutate(runAgain(shown.plan, policy, isDry));
  const repairs = useRepairs(shown, () => start(true));
  const isDirty = repairs.count > 0;
  const { imports } = texts;
  const refused = refusedCount(shown);
  const importable = shown.rows - refused;
  const isWhole = shown.state === "checked";
  const isBlocked = policy === "all" && refused > 0;
  return (
    <>
      <Panel title={titleOf(shown, imports)}>
        {shown.error && <p className={styles.alert}>{shown.error}</p>}
        {shown.plan?.source && <p>{texts.sources.bound(shown.plan.source.name)}</p>}
        <p role="status">
          {refused > 0 ? imports.refused(refused, number(refused)) : isWhole && imports.fine}{" "}
          <span className={styles.soft}>
            {refused > 0 ? imports.refusedHint : imports.nothingWritten}
          </span>
        </p>
        {!isWhole && leftCount(shown) > 0 && (
          <p>{imports.notReached(leftCount(shown), number(leftCount(shown)))}</p>
        )}
        <RowsPanel shown={shown} inWork={repairs} saveLabel={imports.saveAndCheck} />
      </Panel>
      <MissingPanel shown={shown} />
      {isWhole && refused > 0 && !shown.plan?.source && (
        <Panel>
          <PolicyRadioGroup value={policy} onChange={setPolicy} />
        </Panel>
      )}
      {run.error && <ProblemAlert error={run.error} />}
      <div className={styles.actions}>
        {isWhole && (
          <Button
            variant="primary"
            onPress={() => start(false)}
            isPending={run.isPending}
            isDisabled={importable === 0 || isBlocked || isDirty}
          >
            {imports.run(importable, number(importable))}
          </Button>
        )}
        <Button onPress={onColumns}>{imports.changeColumns}</Button>
        <Button onPress={() => start(true)} isPending={run.isPending} isDisabled={isDirty}>
          {imports.checkAgain}
        </Button>
        {isWhole && importable === 0 && <span className={styles.soft}>{imports.runNothing}</span>}
        {isWhole && importable > 0 && isBlocked && (
          <span className={styles.soft}>{imports.policyAllBlocks}</span>
        )}
      </div>
    </>
  );
}

type Texts = ReturnType<typeof useLocale>["texts"]["imports"];

function titleOf({ state }: Import, texts: Texts): string {
  if (state === "failed") return texts.checkFailed;
  return state === "cancelled" ? texts.checkCancelled : texts.previewTitle;
}
