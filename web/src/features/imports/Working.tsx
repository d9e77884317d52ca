import { useMutation } from "@tanstack/react-query";
import { cancelImportMutation } from "~/api/imports";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { paceOf } from "~/model/importProgress";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import styles from "./imports.module.css";
import { Meter } from "./Meter";

const MINUTE = 60;
/** Shorter times are named in seconds. */
const FEW_SECONDS = 90;

/** A step that runs, how fast it is, and a way to end it. */
export function Working({ shown, now }: { shown: Import; now: string }) {
  const { texts, number } = useLocale();
  const cancel = useMutation(cancelImportMutation(shown.id));
  const { imports } = texts;
  const pace = paceOf(shown, now);
  const timeOf = (seconds: number) =>
    seconds < FEW_SECONDS
      ? imports.seconds(Math.ceil(seconds))
      : imports.minutes(Math.round(seconds / MINUTE));
  const facts = [
    imports.rowsOf(shown.rows, number(shown.rows)),
    ...(pace ? [imports.pace(number(Math.round(pace.rowsPerSecond)))] : []),
    ...(pace ? [imports.left(timeOf(pace.secondsLeft))] : []),
  ];
  return (
    <div className={styles.work}>
      <Meter label={imports.working[shown.state] ?? ""} value={shown.progress} />
      <p className={styles.soft}>{facts.join(" · ")}</p>
      <p className={styles.soft}>{imports.mayLeave}</p>
      {cancel.error && <ProblemAlert error={cancel.error} />}
      {shown.state !== "uploading" && (
        <div>
          <Button onPress={() => cancel.mutate()} isPending={cancel.isPending}>
            {texts.cancel}
          </Button>
        </div>
      )}
    </div>
  );
}
