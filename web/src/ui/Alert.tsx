import { TriangleAlert } from "lucide-react";
import { problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import styles from "./Alert.module.css";
import { Button } from "./Button";

/** What went wrong, with the id of the request, and a way to try again. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { texts } = useLocale();
  const problem = problemOf(error);
  return (
    <div role="alert" className={styles.problem}>
      <TriangleAlert size={18} aria-hidden="true" />
      <div>
        <p className={styles.title}>{texts.problemTitle}</p>
        <p>{detailOf(problem.status, problem.detail, texts)}</p>
        {problem.requestId && (
          <p className={styles.request}>{texts.requestId(problem.requestId)}</p>
        )}
      </div>
      {onRetry && <Button onPress={onRetry}>{texts.retry}</Button>}
    </div>
  );
}

/** A fault of this page, with what whoever looks for it needs. */
export function BrokenAlert({ error, onReload }: { error: unknown; onReload: () => void }) {
  const { texts } = useLocale();
  return (
    <div role="alert" className={styles.problem}>
      <TriangleAlert size={18} aria-hidden="true" />
      <div>
        <p className={styles.title}>{texts.problemTitle}</p>
        <p>{texts.brokenScreen}</p>
        <p className={styles.request}>{problemOf(error).detail}</p>
      </div>
      <Button onPress={onReload}>{texts.reloadPage}</Button>
    </div>
  );
}

/** Somebody else changed what is on the screen, so that nothing was written. */
export function StaleAlert({ onReload }: { onReload: () => void }) {
  const { texts } = useLocale();
  return (
    <div role="alert" className={styles.stale}>
      <p>{texts.admin.stale}</p>
      <Button onPress={onReload}>{texts.admin.reload}</Button>
    </div>
  );
}

function detailOf(status: number, detail: string, texts: ReturnType<typeof useLocale>["texts"]) {
  if (status === 0) return texts.noConnection;
  if (status === 404) return texts.notFound;
  return detail;
}
