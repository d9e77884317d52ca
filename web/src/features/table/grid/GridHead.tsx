import { ArrowDown, ArrowUp } from "lucide-react";
import type { PointerEvent } from "react";
import { useLocale } from "~/i18n";
import { clampWidth, type View } from "~/model/view";
import type { Column } from "../columns";
import styles from "./Grid.module.css";

interface Props {
  columns: readonly Column[];
  /** The columns that are elements. */
  positions: readonly number[];
  view: View;
  template: string;
  /** The left edges of the pinned columns. */
  offsets: readonly number[];
  onSort: (path: string) => void;
  onWidth: (path: string, width: number) => void;
}

/** The names of the columns; a click sorts, their right edge resizes. */
export function GridHead({ columns, positions, view, template, offsets, onSort, onWidth }: Props) {
  const { texts } = useLocale();
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        <div role="columnheader" aria-colindex={1} className={styles.selector}>
          <span className="visually-hidden">{texts.table.select}</span>
        </div>
        {positions.map((index) => {
          const column = columns[index];
          if (!column) return null;
          const sort = view.sort?.path === column.path ? view.sort : undefined;
          const order = sort && (sort.descending ? "descending" : "ascending");
          return (
            <div
              key={column.path}
              role="columnheader"
              aria-colindex={index + 2}
              aria-sort={order ?? "none"}
              data-right={column.alignsRight}
              data-pinned={offsets[index] !== undefined}
              style={{ left: offsets[index], gridColumn: index + 2 }}
              title={column.label}
            >
              {column.isSortable ? (
                <button
                  type="button"
                  aria-label={texts.sortBy(column.label)}
                  onClick={() => onSort(column.path)}
                >
                  <span className={styles.label}>{column.label}</span>
                  {order === "ascending" && <ArrowUp size={12} aria-hidden="true" />}
                  {order === "descending" && <ArrowDown size={12} aria-hidden="true" />}
                </button>
              ) : (
                <span className={styles.label}>{column.label}</span>
              )}
              <Edge column={column} onWidth={onWidth} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The right edge of a column. The menu of columns does the same by keys. */
function Edge({ column, onWidth }: { column: Column; onWidth: Props["onWidth"] }) {
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    const edge = event.currentTarget;
    const head = edge.parentElement;
    const from = event.clientX;
    // A column that grows is wider than its own width.
    const width = head?.offsetWidth ?? column.width;
    edge.setPointerCapture(event.pointerId);
    const widthAt = (x: number) => clampWidth(width + x - from);
    const drag = (moved: globalThis.PointerEvent) => {
      edge.style.translate = `${widthAt(moved.clientX) - width}px`;
    };
    const end = (ended: globalThis.PointerEvent) => {
      edge.removeEventListener("pointermove", drag);
      edge.style.translate = "";
      if (head && ended.clientX !== from) onWidth(column.path, widthAt(ended.clientX));
    };
    edge.addEventListener("pointermove", drag);
    edge.addEventListener("pointerup", end, { once: true });
  };
  return <span className={styles.edge} onPointerDown={begin} aria-hidden="true" />;
}
