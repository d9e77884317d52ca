import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "~/api/objectTypes";
import type { FieldDefinition, ImportColumn, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import {
  ACTIVE,
  type Goal,
  type Mapping,
  PROBLEM_COLUMN,
  PUBLIC_ID,
  referenceGoal,
  withGoal,
} from "~/model/importMapping";
import { Select } from "~/ui/Select";
import styles from "./ColumnList.module.css";
import { ReferenceWay } from "./ReferenceWay";
import { useTargetName } from "./useTargetName";

interface Props {
  columns: readonly ImportColumn[];
  rows: number;
  type: ObjectType;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

const NOWHERE = "";
const EXAMPLES = 3;

/** The columns of the file with examples, and where each goes. */
export function ColumnList({ columns, rows, type, mapping, onChange }: Props) {
  const { texts, number } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const nameOf = useTargetName(type);
  // No file may hold secrets.
  const fields = (type.fields ?? []).filter((field) => kindOf(field).isEditableInPlace);
  const names = new Set([...fields.map(({ name }) => name), PUBLIC_ID, ACTIVE]);
  const options = [
    { id: NOWHERE, label: texts.imports.nowhere },
    ...[...names].map((id) => ({ id, label: nameOf(id) })),
  ];
  const choose = (column: ImportColumn, target: string) => {
    const field = fields.find(({ name }) => name === target);
    const goal = goalFor(target, field, column, types);
    onChange(withGoal(mapping, column.name, goal));
  };
  return (
    <ul className={styles.list}>
      {columns
        .filter(({ name }) => name !== PROBLEM_COLUMN)
        .map((column) => {
          const goal = mapping.goals.get(column.name);
          const field = fields.find(({ name }) => name === goal?.target);
          return (
            <li key={column.name} className={styles.column} data-unused={goal === undefined}>
              <div className={styles.source}>
                <span className={styles.name}>{column.name}</span>
                <span className={styles.soft}>
                  {column.filled < rows &&
                    texts.imports.filled(number(column.filled), number(rows))}
                </span>
                <Samples column={column} />
              </div>
              <div className={styles.goal}>
                <Select
                  label={texts.imports.goesToOf(column.name)}
                  hidesLabel
                  options={options}
                  value={goal?.target ?? NOWHERE}
                  onChange={(target) => choose(column, target)}
                />
                {field && <Misfits column={column} field={field} />}
                {goal && field && isReference(field) && (
                  <ReferenceWay
                    column={column.name}
                    columns={columns.map(({ name }) => name)}
                    field={field}
                    goal={goal}
                    types={types}
                    onChange={(changed) => onChange(withGoal(mapping, column.name, changed))}
                  />
                )}
              </div>
            </li>
          );
        })}
    </ul>
  );
}

function Samples({ column }: { column: ImportColumn }) {
  const { texts } = useLocale();
  if (column.samples.length === 0)
    return <span className={styles.soft}>{texts.imports.noValues}</span>;
  return (
    <span className={styles.samples}>
      {column.samples.slice(0, EXAMPLES).map((sample) => (
        <code key={sample}>{sample}</code>
      ))}
    </span>
  );
}

const MISFITS = 5;

/** Values that the field takes though they are not of its kind. */
function Misfits({ column, field }: { column: ImportColumn; field: FieldDefinition }) {
  const { texts } = useLocale();
  const { fits } = kindOf(field);
  if (!fits) return null;
  const values = [...new Set([...column.samples, ...column.distinct])];
  const misfits = values.filter((value) => !fits(value)).slice(0, MISFITS);
  if (misfits.length === 0) return null;
  return <p className={styles.misfits}>{texts.imports.misfits(misfits.join(", "))}</p>;
}

function goalFor(
  target: string,
  field: FieldDefinition | undefined,
  column: ImportColumn,
  types: readonly ObjectType[],
): Goal | undefined {
  if (target === NOWHERE) return undefined;
  return field && isReference(field) ? referenceGoal(field, column.looks, types) : { target };
}

function isReference(field: FieldDefinition): boolean {
  return kindOf(field).targets !== undefined;
}
