import { ArrowUpRight } from "lucide-react";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { summaryOf } from "~/model/object";
import type { Row } from "~/model/row";
import { ObjectLink } from "~/ui/ObjectLink";
import cards from "./Cards.module.css";
import styles from "./Grid.module.css";

interface Props {
  row: Row | undefined;
  /** The type of the object. */
  type: ObjectType | undefined;
  isSelected: boolean;
  /** A card begins with the object's summary. */
  isCard: boolean;
  onSelect: (extends_: boolean) => void;
}

/** The first cell of a row: its check box, and the way to its object. */
export function RowHead({ row, type, isSelected, isCard, onSelect }: Props) {
  const { texts } = useLocale();
  return (
    <div role="gridcell" aria-colindex={1} className={styles.selector}>
      {row && (
        // A plain element: one of our own per row costs frames.
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.table.markRow(String(row.id))}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => onSelect(event.shiftKey)}
        />
      )}
      {row && isCard && <Summary row={row} type={type} />}
      {row && !isCard && (
        <ObjectLink
          id={row.id}
          tabIndex={-1}
          aria-label={texts.table.open(String(row.id))}
          className={styles.open}
        >
          <ArrowUpRight size={15} aria-hidden="true" />
        </ObjectLink>
      )}
    </div>
  );
}

function Summary({ row, type }: { row: Row; type: ObjectType | undefined }) {
  return (
    <>
      <ObjectLink id={row.id} className={cards.summary}>
        {summaryOf(row.object, type, row.titles) || `#${row.id}`}
      </ObjectLink>
      <span className={cards.number}>#{row.id}</span>
    </>
  );
}
