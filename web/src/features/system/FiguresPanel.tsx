import { useQuery } from "@tanstack/react-query";
import { figuresQuery } from "~/api/system";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Facts } from "~/ui/Facts";
import { Panel } from "~/ui/Page";
import styles from "./SystemPage.module.css";

const MEBIBYTE = 1024 * 1024;

/** What the server measures of itself since its start. */
export function FiguresPanel() {
  const { texts, number, time, region } = useLocale();
  const read = useQuery(figuresQuery);
  const figures = read.data;
  const whole = (value: number | undefined) => (value === undefined ? undefined : number(value));
  const unit = (value: number | undefined, unit: string) =>
    value === undefined
      ? undefined
      : new Intl.NumberFormat(region, { style: "unit", unit, maximumFractionDigits: 1 }).format(
          value,
        );
  const mebibytes = (bytes: number | undefined) =>
    bytes === undefined ? undefined : unit(bytes / MEBIBYTE, "megabyte");
  const { backupTime, meanSeconds } = figures ?? {};
  const labels = texts.systemPage.figures;
  return (
    <Panel title={labels.title}>
      {read.error && <ProblemAlert error={read.error} onRetry={() => read.refetch()} />}
      {figures === null && <p className={styles.soft}>{texts.systemPage.elsewhere}</p>}
      {figures && (
        <Facts
          facts={[
            [labels.requests, whole(figures.requests)],
            [labels.failures, whole(figures.failures)],
            [
              labels.mean,
              meanSeconds === undefined ? undefined : unit(meanSeconds * 1000, "millisecond"),
            ],
            [labels.connections, whole(figures.connections)],
            [labels.memory, mebibytes(figures.memoryBytes)],
            [labels.threads, whole(figures.threads)],
            [labels.waitingReads, whole(figures.waitingReads)],
            [labels.waitingWrites, whole(figures.waitingWrites)],
            [labels.backupTime, backupTime ? time(new Date(backupTime * 1000)) : labels.noBackup],
            [labels.backupSize, mebibytes(figures.backupBytes)],
            [labels.backupFailures, whole(figures.backupFailures)],
          ]}
        />
      )}
    </Panel>
  );
}
