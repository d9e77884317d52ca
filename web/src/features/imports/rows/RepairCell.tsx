import { useId } from "react";
import { useLocale } from "~/i18n";
import type { ShownCell, ShownRow } from "~/model/importRows";
import styles from "./rows.module.css";

interface Props {
  row: ShownRow;
  cell: ShownCell;
  /** The text that was typed, if it is another one. */
  typed: string | undefined;
  onType: (row: ShownRow, cell: ShownCell, text: string) => void;
}

/** A cell to repair, with what is wrong with it. A plain input: there are hundreds. */
export function RepairCell({ row, cell, typed, onType }: Props) {
  const { texts } = useLocale();
  const id = useId();
  const isWrong = cell.problems.length > 0;
  return (
    <>
      <input
        name={cell.column}
        value={typed ?? cell.text}
        className={styles.input}
        data-changed={typed !== undefined}
        aria-label={texts.imports.cellOf(cell.column, String(row.row))}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        autoComplete="off"
        spellCheck="false"
        onChange={({ target }) => onType(row, cell, target.value)}
        onKeyDown={({ key }) => key === "Escape" && onType(row, cell, cell.text)}
      />
      {isWrong && (
        <p id={id} className={styles.problem}>
          {cell.problems.join(" ")}
        </p>
      )}
    </>
  );
}
