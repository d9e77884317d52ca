import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { problemOf } from "~/api/problem";
import { recordImportMutation, recordImportQuery } from "~/api/recordImport";
import type { ImportedRecords } from "~/api/records";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import { Panel } from "~/ui/Page";
import { Table } from "~/ui/Table";
import styles from "./imports.module.css";
import { statusVariant } from "./variants";

interface Props {
  /** The text of the request. */
  body: string;
  onClose: () => void;
}

/** What a file of types, categories and groups would do, and then has done. */
export function RecordsPanel({ body, onClose }: Props) {
  const { texts, number } = useLocale();
  const check = useQuery(recordImportQuery(useId(), body));
  const run = useMutation(recordImportMutation);
  const { records } = texts.imports;
  const error = run.error ?? check.error;
  const shown = run.data ?? check.data;
  const changed = check.data?.results.filter(({ action }) => action !== "unchanged").length ?? 0;
  return (
    <Panel title={run.data ? records.done : texts.imports.previewTitle}>
      {error && <Refused error={error} />}
      {!shown && !error && <p>{texts.loading}</p>}
      {shown && <Outcome shown={shown} />}
      <div className={styles.actions}>
        {check.data && !run.data && (
          <Button
            variant="primary"
            onPress={() => run.mutate(body)}
            isPending={run.isPending}
            isDisabled={changed === 0}
          >
            {records.run(changed, number(changed))}
          </Button>
        )}
        <Button onPress={onClose}>{run.data ? texts.imports.another : texts.cancel}</Button>
        {!run.data && <span className={styles.soft}>{texts.imports.nothingWritten}</span>}
      </div>
    </Panel>
  );
}

function Outcome({ shown }: { shown: ImportedRecords }) {
  const { texts } = useLocale();
  const { records, statuses } = texts.imports;
  const warnings = shown.warnings ?? [];
  return (
    <>
      {warnings.length > 0 && (
        <ul className={styles.alert}>
          {warnings.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>{`${pointer}: ${detail}`}</li>
          ))}
        </ul>
      )}
      <Table
        label={records.title}
        columns={[records.record, texts.imports.name, texts.imports.status]}
        rows={shown.results.map((result) => ({
          key: `${result.resource} ${result.public_id}`,
          cells: [
            records.resources[result.resource],
            result.name,
            <Badge key="action" variant={statusVariant(result.action)}>
              {statuses[result.action]}
            </Badge>,
          ],
        }))}
      />
    </>
  );
}

/** All problems, each with its place in the file. */
function Refused({ error }: { error: unknown }) {
  const faults = problemOf(error).faults;
  return (
    <>
      <ProblemAlert error={error} />
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, FAULTS_SHOWN).map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>{`${pointer}: ${detail}`}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const FAULTS_SHOWN = 100;
