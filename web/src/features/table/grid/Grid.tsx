import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { type Cell, rangeOf } from "~/model/cellRange";
import type { Row } from "~/model/row";
import type { Density, View } from "~/model/view";
import { NARROW, useMedia } from "~/ui/useMedia";
import { type Column, cardColumns, tracksOf } from "../columns";
import type { RowSelection } from "../useRowSelection";
import { useRows } from "../useRows";
import cards from "./Cards.module.css";
import styles from "./Grid.module.css";
import { GridHead } from "./GridHead";
import { GridRow, type RowHandlers } from "./GridRow";
import { useCellEdits } from "./useCellEdits";
import { useClipboard } from "./useClipboard";
import { useColumnWindow } from "./useColumnWindow";
import { useForeignChanges } from "./useForeignChanges";
import { useGridKeys } from "./useGridKeys";
import { useRowWindow } from "./useRowWindow";
import { useStable } from "./useStable";

const HEIGHTS: Record<Density, number> = { compact: 32, medium: 40, roomy: 48 };
/** A card: its first line, each other line, and the space around. */
const CARD = { head: 44, line: 26, space: 16, more: 24 };
/** The column with the check boxes of the rows, and the links to their objects. */
const SELECTOR_WIDTH = 68;

interface Props {
  /** The filters and the order. Another list begins at its first row. */
  listKey: string;
  view: View;
  columns: readonly Column[];
  types: readonly ObjectType[];
  total: number;
  /** Whether these are still the rows of the list before. */
  isStale: boolean;
  selection: RowSelection;
  /** The types whose objects the caller may change. */
  editable: readonly number[];
  onSort: (path: string) => void;
  onWidth: (path: string, width: number) => void;
}

/** The rows around those on the screen; only they are elements. One cell has the focus. */
export function Grid(props: Props) {
  const { view, total, isStale, selection, editable, onSort, onWidth } = props;
  const isCards = useMedia(NARROW);
  const isChosen = view.columns !== undefined;
  const cardFields = useMemo(() => cardColumns(props.columns, isChosen), [props.columns, isChosen]);
  const columns = isCards ? cardFields.shown : props.columns;
  const { texts } = useLocale();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<Cell>();
  const [editing, setEditing] = useState<EditedCell>();
  const height = isCards ? cardHeight(cardFields) : HEIGHTS[view.density];
  const rows = useRowWindow({
    scroller,
    count: total,
    height,
    before: isCards ? 0 : HEIGHTS.medium,
  });
  const types = useMemo(
    () => new Map(props.types.map((type) => [type.public_id, type])),
    [props.types],
  );
  const typeOf = (row: Row | undefined) => row && types.get(row.type);
  const rowAt = useRows(view, rows.first, Math.max(rows.first, rows.last));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is the reason
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setActive((cell) => (cell.row === 0 ? cell : { row: 0, column: cell.column }));
    setAnchor(undefined);
    setEditing(undefined);
  }, [props.listKey]);
  const pinned = isCards ? 0 : view.pinned;
  const { positions, reveal } = useColumnWindow({
    scroller,
    columns,
    before: SELECTOR_WIDTH,
    pinned,
    kept: [active.column, editing?.column],
  });
  const edits = useCellEdits();
  const changes = useForeignChanges();
  const range = useMemo(() => rangeOf(anchor ?? active, active), [anchor, active]);
  const mayEdit = useCallback((type: number) => editable.includes(type), [editable]);
  const clipboard = useClipboard({ columns, rowAt, range, mayEdit });
  const move = (to: Cell, extends_: boolean) => {
    setAnchor(extends_ ? (anchor ?? active) : undefined);
    setActive(to);
    rows.reveal(to.row);
    if (to.column !== active.column) reveal(to.column);
    focusCell(scroller.current, to);
  };
  const onKeyDown = useGridKeys({
    active,
    size: { rows: total, columns: columns.length, page: rows.page },
    isEditing: editing !== undefined,
    move,
    edit: (typed) => setEditing(typed === undefined ? active : { ...active, typed }),
    empty: () => {
      const [row, field] = [rowAt(active.row), columns[active.column]?.field];
      if (row && field) edits.save(row, field, null);
    },
    select: (extends_) => selection.toggle(rowAt(active.row)?.id, active.row, extends_),
    fillDown: clipboard.fillDown,
    clear: () => {
      setAnchor(undefined);
      selection.clear();
    },
  });
  const finishEdit = (to?: Cell) => {
    const at = to ?? editing ?? active;
    setEditing(undefined);
    setActive(at);
    // At once, or the next key would be lost while the frame is late.
    cellAt(scroller.current, at)?.focus();
    focusCell(scroller.current, at);
  };
  const template = tracksOf(SELECTOR_WIDTH, columns);
  const minWidth = columns.reduce((sum, { width }) => sum + width, SELECTOR_WIDTH);
  const offsets = useMemo(() => pinnedOffsets(columns, pinned), [columns, pinned]);
  const on = useStable<RowHandlers>({
    activate: move,
    edit: setEditing,
    editEnd: (row, step) => {
      if (step === undefined) return setEditing(undefined);
      const column = clamp(active.column + step, columns.length);
      finishEdit(step === 0 ? undefined : { row, column });
    },
    select: (row, extends_) => selection.toggle(rowAt(row)?.id, row, extends_),
  });
  return (
    <div
      ref={scroller}
      className={`${styles.scroller} ${isCards ? cards.cards : ""}`}
      data-stale={isStale}
    >
      <div
        role="grid"
        aria-label={texts.table.objects}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        className={styles.table}
        style={isCards ? undefined : { minWidth }}
        onKeyDown={onKeyDown}
        onCopy={clipboard.onCopy}
        onPaste={clipboard.onPaste}
      >
        {!isCards && (
          <GridHead
            columns={columns}
            positions={positions}
            view={view}
            template={template}
            offsets={offsets}
            onSort={onSort}
            onWidth={onWidth}
          />
        )}
        <div role="rowgroup" style={{ height: rows.total }} className={styles.body}>
          {drawn(rows, active.row, total).map((index) => (
            <GridRow
              key={index}
              index={index}
              row={rowAt(index)}
              type={typeOf(rowAt(index))}
              columns={columns}
              positions={positions}
              card={isCards ? cardFields : undefined}
              offsets={offsets}
              activeColumn={index === active.row ? active.column : undefined}
              editedColumn={index === editing?.row ? editing.column : undefined}
              typed={index === editing?.row ? editing.typed : undefined}
              range={anchor && range.top <= index && index <= range.bottom ? range : undefined}
              isSelected={selection.has(rowAt(index)?.id ?? 0)}
              changed={changes.get(rowAt(index)?.id ?? 0)}
              edits={edits}
              mayEdit={mayEdit}
              on={on}
              start={index * height - rows.shift}
              height={height}
              template={template}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** A cell in which somebody writes, and what they began with. */
interface EditedCell extends Cell {
  typed?: string;
}

/** The row with the focus stays an element, or the focus would be lost. */
function drawn({ first, last }: { first: number; last: number }, active: number, total: number) {
  const rows = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (active >= total || (first <= active && active <= last)) return rows;
  return active < first ? [active, ...rows] : [...rows, active];
}

function cardHeight({ shown, more }: ReturnType<typeof cardColumns>): number {
  const lines = shown.length * CARD.line + (more > 0 ? CARD.more : 0);
  return CARD.head + lines + CARD.space;
}

function clamp(column: number, columns: number): number {
  return Math.max(0, Math.min(columns - 1, column));
}

/** Where the pinned columns stand, from the left. */
function pinnedOffsets(columns: readonly Column[], pinned: number): number[] {
  let left = SELECTOR_WIDTH;
  return columns.slice(0, pinned).map(({ width }) => {
    left += width;
    return left - width;
  });
}

function cellAt(grid: HTMLElement | null, { row, column }: Cell) {
  return grid?.querySelector<HTMLElement>(`[data-cell="${row}/${column}"]`);
}

/** The cell may become an element only after the next frame. */
function focusCell(grid: HTMLElement | null, at: Cell) {
  requestAnimationFrame(() => {
    const cell = cellAt(grid, at);
    // The control of a cell that is edited keeps the focus.
    if (!cell?.contains(document.activeElement)) cell?.focus();
  });
}
