import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useLocale } from "~/i18n";
import { type Condition, isComplete } from "~/model/filter/condition";
import { Button } from "~/ui/Button";
import { Dropdown } from "~/ui/Dropdown";
import type { Column } from "../columns";
import { ConditionFields, firstCondition } from "./ConditionFields";
import styles from "./FilterBar.module.css";

interface Props {
  columns: readonly Column[];
  /** The objects that options are counted among. */
  among: string | undefined;
  onAdd: (condition: Condition) => void;
}

/** One more condition, which must hold besides the others. */
export function AddFilter({ columns, among, onAdd }: Props) {
  const { texts } = useLocale();
  const label = (
    <>
      <Plus size={14} aria-hidden="true" />
      {texts.addFilter}
    </>
  );
  return (
    <Dropdown title={texts.addFilter} label={label} placement="bottom start">
      {(close) => (
        <ConditionForm
          columns={columns}
          among={among}
          onAdd={(condition) => {
            close();
            onAdd(condition);
          }}
        />
      )}
    </Dropdown>
  );
}

function ConditionForm({ columns, among, onAdd }: Props) {
  const { texts } = useLocale();
  // People mostly ask for a field, not for the number before it.
  const first = columns.find(({ field }) => field) ?? columns[0];
  const [condition, setCondition] = useState(() => firstCondition(first));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(condition)) onAdd(condition);
    else setError(texts.filter.faults.incomplete);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <ConditionFields
        condition={condition}
        columns={columns}
        among={among}
        onChange={(next) => {
          setError(undefined);
          setCondition(next);
        }}
      />
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <Button type="submit" variant="primary">
        {texts.apply}
      </Button>
    </form>
  );
}
