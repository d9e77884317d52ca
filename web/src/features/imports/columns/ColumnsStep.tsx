import { useMutation, useQuery } from "@tanstack/react-query";
import { importQuery, runImportMutation } from "~/api/imports";
import { typesQuery } from "~/api/objectTypes";
import type { Import } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { mappingOf } from "~/model/importMapping";
import { sourceRun } from "~/model/importSource";
import { ProblemAlert } from "~/ui/Alert";
import { Panel } from "~/ui/Page";
import styles from "../imports.module.css";
import { FittingSources } from "../source/FittingSources";
import { MappingForm } from "./MappingForm";
import { TypeTarget } from "./TypeTarget";

interface Props {
  shown: Import;
  type: number | undefined;
  onType: (type: number | undefined) => void;
  onChecked: () => void;
}

/** Which type the rows go to, and where each column goes. */
export function ColumnsStep({ shown, type: id, onType, onChecked }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery);
  const me = useQuery(meQuery).data;
  const offered = (types.data ?? []).filter(({ public_id }) =>
    me?.types.create.includes(public_id),
  );
  const type = offered.find(({ public_id }) => public_id === id);
  const read = useQuery({
    ...importQuery(shown.id, type?.public_id),
    enabled: type !== undefined,
  });
  const suggested = read.data?.data.suggested;
  const known = shown.plan && shown.plan.type_id === type?.public_id ? shown.plan : undefined;
  // Whoever checks first wants to see all that is wrong, and imports the rest.
  const plan = known ?? suggested;
  const initial = plan ? mappingOf(plan, known ? plan.policy : "skip") : undefined;
  const check = useMutation({
    ...runImportMutation(shown.id),
    onSettled: (_, error) => !error && onChecked(),
  });
  const error = types.error ?? read.error ?? check.error;
  return (
    <>
      <FittingSources
        shown={shown}
        isPending={check.isPending}
        onSource={(source) => check.mutate(sourceRun(source, true))}
      />
      <Panel title={texts.imports.target}>
        <p className={styles.soft}>{texts.imports.targetHint}</p>
        <TypeTarget shown={shown} types={offered} type={type} onType={onType} />
      </Panel>
      {error && <ProblemAlert error={error} onRetry={() => read.refetch()} />}
      {type && initial && (
        <MappingForm
          key={type.public_id}
          shown={shown}
          type={type}
          initial={initial}
          onChecked={onChecked}
        />
      )}
    </>
  );
}
