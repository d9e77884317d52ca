import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { typesQuery } from "~/api/objectTypes";
import type { ImportPlan } from "~/api/records";
import { useLocale } from "~/i18n";
import { type Goals, mappingOf } from "~/model/importMapping";
import type { Repairs, ShownCell, ShownRow } from "~/model/importRows";
import blocks from "~/ui/rowBlocks.module.css";
import { useTargetName } from "../columns/useTargetName";
import { Row } from "./Row";
import styles from "./rows.module.css";

interface Props {
  rows: readonly ShownRow[];
  plan: ImportPlan | null;
  columns: readonly string[];
  repairs: Repairs;
  isStale: boolean;
  onType: (row: ShownRow, cell: ShownCell, text: string) => void;
}

/** Rows of the file under the columns of the file, with the fields that these go to. */
export function RowsTable({ rows, plan, columns, repairs, isStale, onType }: Props) {
  const { texts } = useLocale();
  const type = useQuery(typesQuery).data?.find(({ public_id }) => public_id === plan?.type_id);
  const nameOf = useTargetName(type);
  const goals: Goals = plan ? mappingOf(plan).goals : new Map();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what a mouse can scroll
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={texts.imports.rows}>
      <table
        className={`${styles.table} ${blocks.table}`}
        aria-label={texts.imports.rows}
        data-stale={isStale}
        onKeyDown={moveDown}
      >
        <thead>
          <tr>
            <th scope="col">{texts.imports.row}</th>
            <th scope="col">{texts.imports.status}</th>
            {columns.map((column) => {
              const goal = goals.get(column);
              const name = goal ? nameOf(goal.target) : texts.imports.nowhere;
              return (
                <th key={column} scope="col" data-unused={goal === undefined}>
                  {column}
                  {name !== column && <span className={styles.goal}>→ {name}</span>}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.row}
              row={row}
              goals={goals}
              typed={repairs.get(row.row)}
              onType={onType}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Enter goes to the same column of the next row that can be repaired, as in a spreadsheet. */
function moveDown(event: KeyboardEvent<HTMLTableElement>) {
  const { target, currentTarget, key } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const inputs = [...currentTarget.querySelectorAll("input")].filter(
    ({ name }) => name === target.name,
  );
  const next = inputs[inputs.indexOf(target) + (event.shiftKey ? -1 : 1)];
  next?.focus();
  next?.select();
}
