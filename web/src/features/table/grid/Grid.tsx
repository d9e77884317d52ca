import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLatest } from "~/actions/useLatest";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import type { Cell } from "~/model/cellRange";
import type { Row } from "~/model/row";
import type { Density, View } from "~/model/view";
import { NARROW, useMedia } from "~/ui/useMedia";
import { type Column, cardColumns, tracksOf } from "../columns";
import type { RowSelection } from "../useRowSelection";
import { useRows } from "../useRows";
import cards from "./Cards.module.css";
import { drawnRows } from "./drawnRows";
import styles from "./Grid.module.css";
import { GridHead } from "./GridHead";
import { GridRow, type RowHandlers } from "./GridRow";
import { isEditable, useCellEdits } from "./useCellEdits";
import { useClipboard } from "./useClipboard";
import { useColumnWindow } from "./useColumnWindow";
import { type Cursor, START, useCursor } from "./useCursor";
import { useForeignChanges } from "./useForeignChanges";
import { useGridKeys } from "./useGridKeys";
import { useInSight } from "./useInSight";
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
  const [active, setActive] = useState<Cursor>(START);
  const latest = useLatest(active);
  const height = isCards ? cardHeight(cardFields) : HEIGHTS[view.density];
  const count = active.isHeld ? total + 1 : total;
  const rows = useRowWindow({
    scroller,
    count,
    height,
    before: isCards ? 0 : HEIGHTS.medium,
  });
  const types = useMemo(
    () => new Map(props.types.map((type) => [type.public_id, type])),
    [props.types],
  );
  const typeOf = (row: Row | undefined) => row && types.get(row.type);
  const cursor = useCursor({
    grid: scroller,
    cursor: active,
    setCursor: setActive,
    listKey: props.listKey,
    columns,
    rows: useRows(view, rows.first, Math.max(rows.first, rows.last), active.row),
  });
  const { rowAt, range, editing } = cursor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is the reason
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [props.listKey]);
  useInSight(scroller, active, rows);
  const pinned = isCards ? 0 : view.pinned;
  const { positions, reveal } = useColumnWindow({
    scroller,
    columns,
    before: SELECTOR_WIDTH,
    pinned,
    kept: [active.column],
  });
  const edits = useCellEdits();
  const changes = useForeignChanges();
  const mayEdit = useCallback((type: number) => editable.includes(type), [editable]);
  const clipboard = useClipboard({ columns, rowAt, range, mayEdit, total: count });
  const move = (to: Cell, extends_: boolean) => {
    cursor.move(to, extends_);
    rows.reveal(to.row);
    if (to.column !== active.column) reveal(to.column);
    focusCell(scroller, latest);
  };
  const onKeyDown = useGridKeys({
    active,
    size: { rows: count, columns: columns.length, page: rows.page },
    isEditing: editing !== undefined,
    move,
    edit: cursor.edit,
    empty: () => {
      const [row, column] = [rowAt(active.row), columns[active.column]];
      if (row && column?.field && mayEdit(row.type) && isEditable(column, row)) {
        edits.save(edits.begin(row, column.field), null);
      }
    },
    select: (extends_) => selection.toggle(rowAt(active.row)?.id, active.row, extends_),
    fillDown: clipboard.fillDown,
    clear: () => {
      cursor.clearRange();
      selection.clear();
    },
  });
  const endEdit = (step: number | undefined) => {
    cursor.endEdit();
    if (step === undefined) return;
    const to = { row: active.row, column: clamp(active.column + step, columns.length) };
    if (step !== 0) cursor.move(to, false);
    // At once, or the next key would be lost while the frame is late.
    cellAt(scroller.current, to)?.focus();
    focusCell(scroller, latest);
  };
  const template = tracksOf(SELECTOR_WIDTH, columns);
  const minWidth = columns.reduce((sum, { width }) => sum + width, SELECTOR_WIDTH);
  const offsets = useMemo(() => pinnedOffsets(columns, pinned), [columns, pinned]);
  const on = useStable<RowHandlers>({
    activate: move,
    edit: (cell) => {
      move(cell, false);
      cursor.edit();
    },
    editEnd: endEdit,
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
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        className={styles.table}
        style={isCards ? undefined : { minWidth }}
        onFocus={({ target }) => target.matches("[data-cell]") && cursor.enter()}
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
          {drawnRows({ screen: rows, cursor: active, count, rowAt }).map(({ index, key }) => (
            <GridRow
              key={key}
              index={index}
              row={rowAt(index)}
              type={typeOf(rowAt(index))}
              columns={columns}
              positions={positions}
              card={isCards ? cardFields : undefined}
              offsets={offsets}
              activeColumn={index === active.row ? active.column : undefined}
              editedColumn={editing && index === active.row ? active.column : undefined}
              typed={index === active.row ? editing?.typed : undefined}
              range={hasRow(cursor, index) ? range : undefined}
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

function hasRow({ range, hasRange }: ReturnType<typeof useCursor>, index: number): boolean {
  return hasRange && range.top <= index && index <= range.bottom;
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

/** The cell may become an element only after the next frame, and may have moved until then. */
function focusCell(grid: RefObject<HTMLElement | null>, at: RefObject<Cursor>) {
  requestAnimationFrame(() => {
    // Nobody is at a cell whose object was left.
    if (!at.current.isPlaced) return;
    const cell = cellAt(grid.current, at.current);
    // The control of a cell that is edited keeps the focus.
    if (!cell?.contains(document.activeElement)) cell?.focus();
  });
}
