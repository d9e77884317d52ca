import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { runImport } from "~/api/importRepair";
import type { Import } from "~/api/imports";
import type { ObjectType } from "~/api/types";
import { useLocale } from "~/i18n";
import { type Mapping, runBody } from "~/model/importMapping";
import { sourceRun } from "~/model/importSource";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Panel } from "~/ui/Page";
import styles from "../imports.module.css";
import { PolicyRadioGroup } from "../PolicyRadioGroup";
import { SaveSource } from "../source/SaveSource";
import { ColumnList } from "./ColumnList";
import { KeyChecklist } from "./KeyChecklist";
import { Lacks } from "./Lacks";

interface Props {
  shown: Import;
  type: ObjectType;
  initial: Mapping;
  onChecked: () => void;
}

/** Where each column goes, how objects are found, and the check. */
export function MappingForm({ shown, type, initial, onChecked }: Props) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const mayEdit = useRights().has("base.framework.object.edit");
  const [mapping, setMapping] = useState(initial);
  const [isSaving, setIsSaving] = useState(false);
  const check = useMutation({
    mutationFn: (source: number | undefined) => {
      const own = runBody(mapping, type.public_id, true);
      return runImport(shown.id, source === undefined ? own : sourceRun(source, true));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["import", shown.id] });
      onChecked();
    },
  });
  const columns = shown.columns ?? [];
  const isEmpty = mapping.goals.size === 0;
  return (
    <>
      <Panel title={texts.imports.columns}>
        <p className={styles.soft}>{texts.imports.columnsHint}</p>
        <Lacks mapping={mapping} type={type} columns={columns} />
        <ColumnList
          columns={columns}
          rows={shown.rows}
          type={type}
          mapping={mapping}
          onChange={setMapping}
        />
      </Panel>
      <Panel title={texts.imports.key}>
        {mayEdit ? (
          <KeyChecklist type={type} mapping={mapping} onChange={setMapping} />
        ) : (
          <p className={styles.soft}>{texts.imports.keyNotAllowed}</p>
        )}
      </Panel>
      <Panel>
        <PolicyRadioGroup
          value={mapping.policy}
          onChange={(policy) => setMapping({ ...mapping, policy })}
        />
      </Panel>
      {check.error && <ProblemAlert error={check.error} />}
      <div className={styles.actions}>
        <Button
          variant="primary"
          onPress={() => check.mutate(undefined)}
          isPending={check.isPending}
          isDisabled={isEmpty}
        >
          {texts.imports.check}
        </Button>
        <Button onPress={() => setIsSaving(true)} isDisabled={isEmpty}>
          {texts.sources.save}
        </Button>
        <span className={styles.soft}>{texts.imports.checkHint}</span>
      </div>
      {isSaving && (
        <SaveSource
          shown={shown}
          type={type.public_id}
          mapping={mapping}
          onSaved={(source) => {
            setIsSaving(false);
            check.mutate(source);
          }}
          onClose={() => setIsSaving(false)}
        />
      )}
    </>
  );
}
