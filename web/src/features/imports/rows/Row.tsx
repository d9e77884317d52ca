import { useLocale } from "~/i18n";
import type { Goals } from "~/model/importMapping";
import { isRefused, type ShownCell, type ShownRow } from "~/model/importRows";
import { Badge } from "~/ui/Badge";
import { ObjectLink } from "~/ui/ObjectLink";
import { statusVariant } from "../variants";
import { RepairCell } from "./RepairCell";
import styles from "./rows.module.css";

interface Props {
  row: ShownRow;
  /** A column that goes nowhere needs no repair. */
  goals: Goals;
  /** Texts that were typed, by column. */
  typed: ReadonlyMap<string, string> | undefined;
  onType: (row: ShownRow, cell: ShownCell, text: string) => void;
}

/** A row of the file. The cells of a refused one can be repaired where they stand. */
export function Row({ row, goals, typed, onType }: Props) {
  const { texts } = useLocale();
  const canRepair = isRefused(row);
  return (
    <tr data-refused={canRepair}>
      <th scope="row" className={styles.number} data-label={texts.imports.row}>
        {row.row}
      </th>
      <td className={styles.status} data-label={texts.imports.status}>
        {row.status && (
          <Badge variant={statusVariant(row.status)}>{texts.imports.statuses[row.status]}</Badge>
        )}
        {row.object !== null && (
          <ObjectLink id={row.object} className={styles.object}>
            {texts.imports.object(String(row.object))}
          </ObjectLink>
        )}
        {row.problems.map((problem) => (
          <p key={problem} className={styles.problem}>
            {problem}
          </p>
        ))}
      </td>
      {row.cells.map((cell) => (
        <td key={cell.column} data-label={cell.column} data-wrong={cell.problems.length > 0}>
          {canRepair && !cell.isCut && goals.has(cell.column) ? (
            <RepairCell row={row} cell={cell} typed={typed?.get(cell.column)} onType={onType} />
          ) : (
            <span className={styles.text}>{cell.text}</span>
          )}
        </td>
      ))}
    </tr>
  );
}
