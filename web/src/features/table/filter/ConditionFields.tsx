import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { facetsQuery } from "~/api/aggregates";
import { useLocale } from "~/i18n";
import { Operand } from "~/kinds/Operand";
import { kindOf } from "~/kinds/registry";
import { type Condition, withOperator } from "~/model/filter/condition";
import { OPERATORS, type Operator } from "~/model/filter/operators";
import { ComboBox } from "~/ui/ComboBox";
import { Select } from "~/ui/Select";
import type { Column } from "../columns";

interface Props {
  condition: Condition;
  columns: readonly Column[];
  /** The objects that options are counted among. */
  among: string | undefined;
  onChange: (condition: Condition) => void;
  hidesLabels?: boolean;
  autoFocus?: boolean;
}

/** Field, operator and value, each with the control that fits the field. */
export function ConditionFields(props: Props) {
  const { condition, columns, among, onChange, hidesLabels = false, autoFocus = false } = props;
  const { texts } = useLocale();
  const { path, operator, value } = condition;
  const column = columns.find((column) => column.path === path);
  const counts = useQuery({
    ...facetsQuery(path, among),
    enabled: Boolean(column?.asked.options?.length),
  }).data;
  const operators = column?.operators ?? [operator];
  const offered = operators.includes(operator) ? operators : [operator, ...operators];
  const field = column?.asked ?? { name: path, label: path, type: "" };
  const { arity } = OPERATORS[operator];
  const change = (next: Operator) => {
    const changed = withOperator(condition, next);
    // Nobody chose the option that a new condition has.
    const isUntouched = column?.asked.options && value === firstCondition(column).value;
    const isList = OPERATORS[next].arity === "several";
    onChange(isUntouched && isList ? { ...changed, value: "" } : changed);
  };
  return (
    <>
      <FieldSelect
        columns={columns}
        path={path}
        hidesLabel={hidesLabels}
        autoFocus={autoFocus}
        onChange={(chosen) => onChange(firstCondition(chosen))}
      />
      <Select
        label={texts.table.condition}
        hidesLabel={hidesLabels}
        options={offered.map((id) => ({ id, label: texts.table.operators[id] }))}
        value={operator}
        onChange={change}
      />
      <Operand
        // A control may keep what is typed of another field.
        key={`${path} ${arity}`}
        kind={kindOf(field)}
        operator={operator}
        field={field}
        value={value}
        onChange={(next) => onChange({ ...condition, value: next })}
        label={texts.value}
        hidesLabel={hidesLabels}
        counts={counts}
      />
    </>
  );
}

/** What a new condition asks of a column. */
export function firstCondition(column: Column | undefined): Condition {
  const operator = column?.operators[0] ?? "is";
  const value = (column && kindOf(column.asked).firstOperand?.(column.asked)) ?? "";
  return { path: column?.path ?? "public_id", operator, value };
}

/** More fields are found by typing. */
const MOST_LISTED = 25;
/** Nobody reads longer lists. */
const MOST_FOUND = 50;

interface FieldProps {
  columns: readonly Column[];
  path: string;
  hidesLabel: boolean;
  autoFocus: boolean;
  onChange: (column: Column | undefined) => void;
}

function FieldSelect({ columns, path, hidesLabel, autoFocus, onChange }: FieldProps) {
  const { texts } = useLocale();
  const [text, setText] = useState("");
  const options = columns.map(({ path, label }) => ({ id: path, label }));
  const chosen = options.find(({ id }) => id === path) ?? {
    id: path,
    label: texts.filter.unknownField(path),
  };
  const choose = (id: string | undefined) => onChange(columns.find(({ path }) => path === id));
  const shared = { label: texts.field, hidesLabel, autoFocus };
  if (options.length <= MOST_LISTED) {
    const listed = options.some(({ id }) => id === path) ? options : [chosen, ...options];
    return <Select {...shared} options={listed} value={path} onChange={choose} />;
  }
  const wanted = text.trim().toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <ComboBox
      {...shared}
      placeholder={texts.form.search}
      emptyText={texts.designer.noMatch}
      clearLabel={undefined}
      chosen={chosen}
      options={found.slice(0, MOST_FOUND)}
      onSearch={setText}
      onChange={choose}
    />
  );
}
