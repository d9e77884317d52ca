import { useState } from "react";
import { tryJob } from "~/api/jobs";
import type { FieldDefinition, ObjectJob, ObjectJobBody, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { unfitText } from "~/kinds/unfit";
import { type FieldChange, jobChanges } from "~/model/bulk";
import { fieldsOf } from "~/model/object";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "./BulkBar.module.css";

interface Props {
  type: ObjectType;
  target: Pick<ObjectJobBody, "filter" | "total">;
  onRun: (body: ObjectJobBody) => void;
  onClose: () => void;
}

/** So many fields are found at a glance. */
const FEW = 12;

/** Each field of many objects: keep it, set it, clear it, or append to it. */
export function BulkEdit({ type, target, onRun, onClose }: Props) {
  const { texts, number } = useLocale();
  const [changes, setChanges] = useState<ReadonlyMap<string, FieldChange>>(new Map());
  const [tried, setTried] = useState<ObjectJob>();
  const [error, setError] = useState<unknown>();
  const [text, setText] = useState("");
  const fields = fieldsOf(type);
  const objects = texts.objectsCount(target.total, number(target.total));
  const wanted = text.trim().toLowerCase();
  const isListed = ({ label, name }: FieldDefinition) =>
    changes.has(name) || (label || name).toLowerCase().includes(wanted);
  const body: ObjectJobBody = { ...target, ...jobChanges(changes) };
  const isUnfit = (field: FieldDefinition) => {
    const made = changes.get(field.name);
    return made?.what === "set" && unfitText(field, made.value, texts) !== undefined;
  };
  const cannotRun = changes.size === 0 || fields.some(isUnfit);
  const change = (name: string, next: FieldChange | undefined) => {
    setTried(undefined);
    const all = new Map(changes);
    if (next) all.set(name, next);
    else all.delete(name);
    setChanges(all);
  };
  const attempt = async () => {
    setError(undefined);
    try {
      setTried(await tryJob(body));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      title={texts.table.bulkTitle(objects)}
      isOpen
      onClose={onClose}
      width="wide"
      alert={error === undefined ? tried && <Tried job={tried} /> : <ProblemAlert error={error} />}
      actions={
        <>
          <Button onPress={attempt} isDisabled={cannotRun}>
            {texts.table.tryIt}
          </Button>
          <Button variant="primary" onPress={() => onRun(body)} isDisabled={cannotRun}>
            {texts.table.run(objects)}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {fields.length > FEW && (
          <TextField
            label={texts.table.searchFields}
            hidesLabel
            placeholder={texts.table.searchFields}
            type="search"
            value={text}
            onChange={setText}
          />
        )}
        {fields.filter(isListed).map((field) => (
          <BulkField
            key={field.name}
            field={field}
            change={changes.get(field.name)}
            onChange={(next) => change(field.name, next)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Tried({ job }: { job: ObjectJob }) {
  const { texts, number } = useLocale();
  return (
    <div role="status" className={`${styles.tried} ${job.failed_total ? styles.refused : ""}`}>
      <p>{texts.table.tried(number(job.changed), number(job.failed_total))}</p>
      <ul>
        {job.failed.slice(0, 10).map(({ public_id, detail }) => (
          <li key={public_id}>{texts.table.refused(String(public_id), detail)}</li>
        ))}
      </ul>
    </div>
  );
}

interface FieldProps {
  field: FieldDefinition;
  change: FieldChange | undefined;
  onChange: (change: FieldChange | undefined) => void;
}

function BulkField({ field, change, onChange }: FieldProps) {
  const { texts } = useLocale();
  const { Edit, canAppend, untouched = null } = kindOf(field);
  const label = field.label || field.name;
  const what = [
    { id: "keep", label: texts.table.keep },
    { id: "set", label: texts.table.set },
    { id: "clear", label: texts.table.clear },
    ...(canAppend ? [{ id: "append", label: texts.table.append }] : []),
  ];
  const choose = (id: string) => {
    if (id === "keep") onChange(undefined);
    else if (id === "clear") onChange({ what: "clear" });
    else if (id === "append") onChange({ what: "append", text: "" });
    else onChange({ what: "set", value: untouched });
  };
  return (
    <div className={styles.field}>
      <span className={styles.name}>{label}</span>
      <Select
        label={texts.table.whatToDo(label)}
        hidesLabel
        options={what}
        value={change?.what ?? "keep"}
        onChange={choose}
      />
      {change?.what === "set" && (
        <Edit
          field={field}
          value={change.value}
          onChange={(value) => onChange({ what: "set", value })}
          error={unfitText(field, change.value, texts)}
          hidesLabel
        />
      )}
      {change?.what === "append" && (
        <TextField
          label={texts.table.addText}
          hidesLabel
          value={change.text}
          onChange={(text) => onChange({ what: "append", text })}
        />
      )}
    </div>
  );
}
