import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { typesQuery } from "~/api/queries";
import { useLocale } from "~/i18n";
import { ObjectLink } from "~/kit/ObjectLink";
import { summaryOf } from "~/model/object";
import type { Row } from "~/model/row";
import cards from "./Cards.module.css";
import styles from "./Grid.module.css";

interface Props {
  row: Row | undefined;
  isMarked: boolean;
  /** A card begins with the object's summary. */
  isCard: boolean;
  onMark: (extends_: boolean) => void;
}

/** The first cell of a row: its mark, and the way to its object. */
export function RowHead({ row, isMarked, isCard, onMark }: Props) {
  const { texts } = useLocale();
  return (
    <div role="gridcell" aria-colindex={1} className={styles.mark}>
      {row && (
        // A plain element: one of our own per row costs frames.
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.table.markRow(String(row.id))}
          checked={isMarked}
          onChange={() => undefined}
          onClick={(event) => onMark(event.shiftKey)}
        />
      )}
      {row && isCard && <Summary row={row} />}
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

function Summary({ row }: { row: Row }) {
  const type = useQuery(typesQuery).data?.find((type) => type.public_id === row.type);
  return (
    <>
      <ObjectLink id={row.id} className={cards.summary}>
        {summaryOf(row.object, type, row.labels) || `#${row.id}`}
      </ObjectLink>
      <span className={cards.number}>#{row.id}</span>
    </>
  );
}
