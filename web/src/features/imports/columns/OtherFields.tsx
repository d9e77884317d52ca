import { Plus, X } from "lucide-react";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import type { OtherField } from "~/model/importMapping";
import { Button } from "~/ui/Button";
import { Select } from "~/ui/Select";
import styles from "./ColumnList.module.css";

interface Props {
  /** The column of the reference. */
  column: string;
  /** Those that may tell its object, too. */
  columns: readonly string[];
  fields: readonly FieldDefinition[];
  others: readonly OtherField[];
  onChange: (others: readonly OtherField[]) => void;
}

/** Other fields that tell the object of a reference: two racks of one name are at different sites. */
export function OtherFields({ column, columns, fields, others, onChange }: Props) {
  const { texts } = useLocale();
  const free = fields.filter(({ name }) => !others.some(({ field }) => field === name));
  const next = free.find((field) => namesake(field, columns)) ?? free[0];
  const from = next && (namesake(next, columns) ?? columns[0]);
  const labelOf = ({ name, label }: FieldDefinition) => label || name;
  const replace = (index: number, changed: OtherField) => onChange(others.with(index, changed));
  return (
    <>
      {others.map((other, index) => (
        <div key={other.field} className={styles.other}>
          <Select
            label={texts.imports.otherFieldOf(column)}
            hidesLabel
            options={fields
              .filter((field) => field.name === other.field || free.includes(field))
              .map((field) => ({ id: field.name, label: labelOf(field) }))}
            value={other.field}
            onChange={(field) => replace(index, { ...other, field })}
          />
          <span className={styles.soft}>{texts.imports.isIn}</span>
          <Select
            label={texts.imports.otherColumnOf(column)}
            hidesLabel
            options={columns.map((name) => ({ id: name, label: name }))}
            value={other.column}
            onChange={(from) => replace(index, { ...other, column: from })}
          />
          <Button
            variant="quiet"
            aria-label={texts.imports.removeOther}
            onPress={() => onChange(others.toSpliced(index, 1))}
          >
            <X size={14} />
          </Button>
        </div>
      ))}
      {next && from !== undefined && (
        <Button
          variant="quiet"
          onPress={() => onChange([...others, { field: next.name, column: from }])}
        >
          <Plus size={14} />
          {texts.imports.addOther}
        </Button>
      )}
    </>
  );
}

/** The column that is named like a field. */
function namesake(field: FieldDefinition, columns: readonly string[]): string | undefined {
  const names = [field.name, field.label ?? ""].map((name) => name.toLowerCase());
  return columns.find((column) => names.includes(column.toLowerCase()));
}
