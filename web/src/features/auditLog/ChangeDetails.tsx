import { useQuery } from "@tanstack/react-query";
import { differencesQuery } from "~/api/history";
import { typesQuery } from "~/api/objectTypes";
import type { Change } from "~/api/records";
import { useLocale } from "~/i18n";
import { Differences } from "~/kinds/Differences";
import { fieldDifferences } from "~/model/history";
import { ProblemAlert } from "~/ui/Alert";
import styles from "./auditLog.module.css";

/** What a change made of what. */
export function ChangeDetails({ change }: { change: Change }) {
  const { texts } = useLocale();
  const read = useQuery(differencesQuery(change));
  const types = useQuery({ ...typesQuery, enabled: change.resource === "object" }).data;
  const fields = types?.find(({ public_id }) => public_id === change.type_id)?.fields ?? [];
  if (read.error && !read.data)
    return <ProblemAlert error={read.error} onRetry={() => read.refetch()} />;
  if (!read.data) return <p className={styles.soft}>{texts.loading}</p>;
  const differences = fieldDifferences(read.data);
  if (differences.length === 0)
    return <p className={styles.soft}>{texts.auditLog.noDifferences}</p>;
  return (
    <Differences
      differences={differences}
      definitionOf={(name) => fields.find((field) => field.name === name)}
    />
  );
}
