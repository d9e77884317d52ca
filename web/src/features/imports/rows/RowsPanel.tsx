import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LeaveGuard } from "~/actions/LeaveGuard";
import { importRowsQuery } from "~/api/imports";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { type RowStatus, refusedCount } from "~/model/importProgress";
import { shownRow } from "~/model/importRows";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { RowsTable } from "./RowsTable";
import styles from "./rows.module.css";
import { StatusBar } from "./StatusBar";
import type { RepairsInWork } from "./useRepairs";

interface Props {
  shown: Import;
  inWork: RepairsInWork;
  saveLabel: string;
}

/** The rows with their statuses, those of one status if asked for, and repairs of the refused. */
export function RowsPanel({ shown, inWork, saveLabel }: Props) {
  const { texts, number } = useLocale();
  const [chosen, setChosen] = useState<RowStatus | "">();
  // Whoever has refused rows wants to see them.
  const first = shown.counts["error"] ? "error" : refusedCount(shown) > 0 ? "duplicate" : "";
  const status = chosen && !shown.counts[chosen] ? first : (chosen ?? first);
  const step = `${shown.request_id} ${shown.state}`;
  const pages = usePages(`${step} ${status}`);
  const list = useQuery({
    ...importRowsQuery(shown.id, step, status, pages.after),
    placeholderData: keepPreviousData,
  });
  const { repairs, count, type, discard, save } = inWork;
  const columns = (shown.columns ?? []).map(({ name }) => name);
  const rows = (list.data?.rows ?? []).map((row) => shownRow(row, columns));
  const { imports } = texts;
  return (
    <div className={styles.panel}>
      <StatusBar shown={shown} status={status} onStatus={setChosen} />
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.data && rows.length === 0 && <p>{imports.noRows}</p>}
      {rows.length > 0 && (
        <RowsTable
          rows={rows}
          plan={shown.plan}
          columns={columns}
          repairs={repairs}
          isStale={list.isPlaceholderData}
          onType={type}
        />
      )}
      {(pages.after !== "" || list.data?.after !== undefined) && (
        <div className={styles.pages}>
          <Button isDisabled={pages.after === ""} onPress={pages.back}>
            {imports.previous}
          </Button>
          <Button
            isDisabled={list.data?.after === undefined}
            onPress={() => pages.go(list.data?.after ?? "")}
          >
            {imports.next}
          </Button>
        </div>
      )}
      {inWork.error && <ProblemAlert error={inWork.error} />}
      {count > 0 && (
        <div className={styles.repairs} role="region" aria-label={saveLabel}>
          <span aria-live="polite">{imports.changedCells(count, number(count))}</span>
          <Button variant="primary" onPress={() => save()} isPending={inWork.isPending}>
            {saveLabel}
          </Button>
          <Button onPress={discard}>{imports.discard}</Button>
        </div>
      )}
      <LeaveGuard isActive={count > 0} isWithinPage />
    </div>
  );
}

/** The cursors of the pages before; another list begins at its first page. */
function usePages(list: string) {
  const [pages, setPages] = useState<{ list: string; cursors: readonly string[] }>();
  const cursors = pages?.list === list ? pages.cursors : [];
  return {
    after: cursors.at(-1) ?? "",
    go: (cursor: string) => setPages({ list, cursors: [...cursors, cursor] }),
    back: () => setPages({ list, cursors: cursors.slice(0, -1) }),
  };
}
