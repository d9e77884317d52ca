import { useState } from "react";
import type { FieldDefinition, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { type Goal, namingFields } from "~/model/importMapping";
import { ComboBox } from "~/ui/ComboBox";
import { Select } from "~/ui/Select";
import styles from "./ColumnList.module.css";
import { OtherFields } from "./OtherFields";

interface Props {
  column: string;
  /** The names of all columns. */
  columns: readonly string[];
  field: FieldDefinition;
  goal: Goal;
  types: readonly ObjectType[];
  onChange: (goal: Goal) => void;
}

const BY_ID = "";

/** How the cells of a column name the objects that they refer to. */
export function ReferenceWay({ column, columns, field, goal, types, onChange }: Props) {
  const { texts } = useLocale();
  const { target, by } = goal;
  const allowed = field.ref_types ?? [];
  const isAny = allowed.length === 0;
  const ids = goal.types ?? allowed;
  const targets = types.filter(({ public_id }) => ids.includes(public_id));
  const fields = namingFields(targets).filter((named) => kindOf(named).isEditableInPlace);
  const options = [
    { id: BY_ID, label: texts.imports.byId },
    ...fields.map(({ name, label }) => ({ id: name, label: label || name })),
  ];
  return (
    <div className={styles.way}>
      <span className={styles.soft} aria-hidden="true">
        {texts.imports.namedBy}
      </span>
      {isAny && (
        <AnyType
          types={types}
          chosen={targets[0]}
          onChange={(type) => {
            const first = type.render_meta.summary.fields?.[0] ?? type.fields?.[0]?.name;
            const id = type.public_id;
            onChange(first === undefined ? { target } : { target, by: first, types: [id] });
          }}
        />
      )}
      <Select
        label={texts.imports.namedByOf(column)}
        hidesLabel
        options={options}
        value={by ?? BY_ID}
        onChange={(chosen) =>
          onChange(chosen === BY_ID ? { target } : { target, by: chosen, types: [...ids] })
        }
      />
      {by !== undefined && (
        <OtherFields
          column={column}
          columns={columns.filter((name) => name !== column)}
          fields={fields.filter(({ name }) => name !== by)}
          others={goal.others ?? []}
          onChange={(others) => onChange({ ...goal, others })}
        />
      )}
    </div>
  );
}

interface AnyTypeProps {
  types: readonly ObjectType[];
  chosen: ObjectType | undefined;
  onChange: (type: ObjectType) => void;
}

/** The type of the objects, if the field takes any. */
function AnyType({ types, chosen, onChange }: AnyTypeProps) {
  const { texts } = useLocale();
  const [text, setText] = useState("");
  const optionOf = ({ public_id, label, name }: ObjectType) => ({
    id: String(public_id),
    label: label || name,
  });
  const wanted = text.trim().toLowerCase();
  return (
    <ComboBox
      label={texts.imports.ofType}
      hidesLabel
      placeholder={texts.imports.ofType}
      emptyText={texts.imports.noTypeMatch}
      clearLabel={undefined}
      chosen={chosen && optionOf(chosen)}
      options={types.map(optionOf).filter(({ label }) => label.toLowerCase().includes(wanted))}
      onSearch={setText}
      onChange={(id) => {
        const type = types.find(({ public_id }) => String(public_id) === id);
        if (type) onChange(type);
      }}
    />
  );
}
