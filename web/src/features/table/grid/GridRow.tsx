import { type MouseEvent, memo } from "react";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { type Cell, isInRange, type Range } from "~/model/cellRange";
import type { Row } from "~/model/row";
import type { Column } from "../columns";
import cards from "./Cards.module.css";
import { CellEditor } from "./CellEditor";
import { CellView } from "./CellView";
import styles from "./Grid.module.css";
import { RowHead } from "./RowHead";
import { type CellEdits, isEditable } from "./useCellEdits";
import type { ForeignNote } from "./useForeignChanges";
import { useLongPress } from "./useLongPress";

interface Props {
  index: number;
  row: Row | undefined;
  /** The type of its object. */
  type: ObjectType | undefined;
  columns: readonly Column[];
  /** The columns that are elements. */
  positions: readonly number[];
  /** How many fields a card leaves out; nothing in a row. */
  card: { more: number } | undefined;
  /** The left edges of the pinned columns. */
  offsets: readonly number[];
  activeColumn: number | undefined;
  editedColumn: number | undefined;
  /** What was typed on the edited cell. */
  typed: string | undefined;
  range: Range | undefined;
  isSelected: boolean;
  /** That somebody else changed it. */
  changed: ForeignNote | undefined;
  edits: CellEdits;
  mayEdit: (type: number) => boolean;
  on: RowHandlers;
  /** Where the row stands, and how high it is. */
  start: number;
  height: number;
  /** The widths of the columns. */
  template: string;
}

/** What people do with a row and its cells. The same object for all rows, in every render. */
export interface RowHandlers {
  activate: (cell: Cell, extends_: boolean) => void;
  edit: (cell: Cell) => void;
  /** The editor is done; the step leads to a neighbour. Without one, the focus is elsewhere. */
  editEnd: (step: number | undefined) => void;
  select: (row: number, extends_: boolean) => void;
}

/** A row that is drawn again only when something of it changed, not while others scroll. */
export const GridRow = memo(function GridRow(props: Props) {
  const { index, row, type, columns, positions, card, offsets } = props;
  const { activeColumn, editedColumn, range, isSelected, changed, on, start, height, template } =
    props;
  const { texts, number } = useLocale();
  const press = useLongPress(() => on.select(index, false));
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected && row !== undefined}
      data-changed={changed?.isFresh ?? false}
      title={changed?.text}
      style={{
        height,
        transform: `translateY(${start}px)`,
        gridTemplateColumns: template,
      }}
      className={card ? `${styles.row} ${cards.card}` : styles.row}
      {...(card && press)}
    >
      <RowHead
        row={row}
        type={type}
        isSelected={isSelected}
        isCard={card !== undefined}
        onSelect={(extends_) => on.select(index, extends_)}
      />
      {positions.map((at) => {
        const column = columns[at];
        return (
          column && (
            <GridCell
              key={column.path}
              {...props}
              at={at}
              column={column}
              left={offsets[at]}
              isActive={at === activeColumn}
              isEdited={at === editedColumn}
              isInRange={range !== undefined && isInRange({ row: index, column: at }, range)}
            />
          )
        );
      })}
      {card && card.more > 0 && (
        <p className={cards.more}>{texts.table.moreFields(number(card.more))}</p>
      )}
    </div>
  );
});

interface CellProps extends Props {
  at: number;
  column: Column;
  left: number | undefined;
  isActive: boolean;
  isEdited: boolean;
  isInRange: boolean;
}

function GridCell(props: CellProps) {
  const { index, row, type, card, at, column, left, isActive, isEdited, isInRange } = props;
  const { edits, mayEdit, on } = props;
  const canEdit = row !== undefined && mayEdit(row.type) && isEditable(column, row);
  const state = row && column.field && edits.stateOf(row.id, column.field.name);
  const press = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("a, input")) return;
    if (!isEdited) on.activate({ row: index, column: at }, event.shiftKey);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells
    <div
      role="gridcell"
      aria-colindex={at + 2}
      aria-readonly={!canEdit}
      data-cell={`${index}/${at}`}
      tabIndex={isActive ? 0 : -1}
      data-right={column.alignsRight}
      data-pinned={left !== undefined}
      data-range={isInRange}
      data-pending={state?.error === undefined && state !== undefined}
      data-refused={state?.error !== undefined}
      title={state?.error}
      style={{ left, gridColumn: at + 2 }}
      onClick={press}
      onDoubleClick={() => canEdit && on.edit({ row: index, column: at })}
    >
      {card && <span className={cards.label}>{column.label}</span>}
      {row && isEdited && canEdit && column.field ? (
        <CellEditor
          row={row}
          field={column.field}
          typed={props.typed}
          edits={edits}
          onEnd={on.editEnd}
        />
      ) : (
        row && <CellView row={row} column={column} type={type} shown={state} />
      )}
    </div>
  );
}
