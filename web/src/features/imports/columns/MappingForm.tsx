import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { runImportMutation } from "~/api/imports";
import type { Import, ObjectType } from "~/api/records";
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
  const mayEdit = useRights().has("base.framework.object.edit");
  const [mapping, setMapping] = useState(initial);
  const [isSaving, setIsSaving] = useState(false);
  const check = useMutation({
    ...runImportMutation(shown.id),
    onSettled: (_, error) => !error && onChecked(),
  });
  const run = () => check.mutate(runBody(mapping, type.public_id, true));
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
          onPress={() => run()}
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
            check.mutate(sourceRun(source, true));
          }}
          onClose={() => setIsSaving(false)}
        />
      )}
    </>
  );
}
