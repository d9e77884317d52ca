import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { countsKey } from "~/api/aggregates";
import { importKeys, importQuery } from "~/api/imports";
import { objectKeys } from "~/api/objects";
import type { Import } from "~/api/records";
import { sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { canRun, type ImportStep, isRunning, stepOf } from "~/model/importProgress";
import { ProblemAlert } from "~/ui/Alert";
import { Page } from "~/ui/Page";
import { CheckStep } from "./check/CheckStep";
import { ColumnsStep } from "./columns/ColumnsStep";
import { FileFacts } from "./FileFacts";
import styles from "./imports.module.css";
import { ResultStep } from "./ResultStep";
import { StepList } from "./StepList";
import { Working } from "./Working";

interface Props {
  id: number;
  /** A type that was chosen, which the server does not know yet. */
  type: number | undefined;
  /** The columns, though the import is further already. */
  step: "columns" | undefined;
  onType: (type: number | undefined) => void;
  onStep: (step: "columns" | undefined) => void;
}

/** An import: its columns, its check and what became of it. */
export function ImportPage({ id, type, step, onType, onStep }: Props) {
  const { texts } = useLocale();
  const read = useQuery(importQuery(id));
  const shown = read.data?.data;
  useFresh(shown);
  const back = <Link to="/imports">{texts.imports.title}</Link>;
  if (!shown || !read.data) {
    return (
      <Page title={texts.imports.newTitle} actions={back}>
        {read.error && <ProblemAlert error={read.error} onRetry={() => read.refetch()} />}
        {!read.error && <p className={styles.soft}>{texts.loading}</p>}
      </Page>
    );
  }
  const reached = stepOf(shown);
  const current = step === "columns" && canRun(shown) ? "columns" : reached;
  const open: ImportStep[] = [...(canRun(shown) ? ["columns" as const] : []), reached];
  return (
    <Page title={shown.file.name} actions={back}>
      <StepList
        current={current}
        open={isRunning(shown) ? [] : open}
        onOpen={(chosen) => onStep(chosen === "columns" ? "columns" : undefined)}
      />
      {read.error && <ProblemAlert error={read.error} onRetry={() => read.refetch()} />}
      {isRunning(shown) ? (
        <Working shown={shown} now={read.data.now} />
      ) : (
        <>
          {current === "columns" && (
            <>
              <FileFacts shown={shown} type={type} />
              <ColumnsStep
                shown={shown}
                type={type ?? shown.plan?.type_id}
                onType={onType}
                onChecked={() => onStep(undefined)}
              />
            </>
          )}
          {current === "check" && <CheckStep shown={shown} onColumns={() => onStep("columns")} />}
          {current === "result" && <ResultStep shown={shown} onColumns={() => onStep("columns")} />}
        </>
      )}
    </Page>
  );
}

const WRITTEN_BY_IMPORTS = [
  objectKeys.lists,
  objectKeys.each,
  countsKey,
  importKeys.all,
  sourcesQuery.queryKey,
];

/** Other screens show what an import wrote: they read it again when a step begins or ends. */
function useFresh(shown: Import | undefined) {
  const queries = useQueryClient();
  const moment = shown && `${shown.request_id} ${shown.state}`;
  useEffect(() => {
    if (moment === undefined) return;
    for (const queryKey of WRITTEN_BY_IMPORTS) void queries.invalidateQueries({ queryKey });
  }, [queries, moment]);
}
