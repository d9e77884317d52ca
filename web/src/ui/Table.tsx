import type { ReactNode } from "react";
import blocks from "./rowBlocks.module.css";
import styles from "./Table.module.css";

interface Props {
  label: string;
  columns: readonly string[];
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[];
}

/** A table of few rows. On a phone each row is a block, with the columns' names in it. */
export function Table({ label, columns, rows }: Props) {
  return (
    <table className={`${styles.table} ${blocks.table}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map((column, index) => (
              <td key={column} data-label={column}>
                <span>{cells[index]}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
