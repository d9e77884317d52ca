import { Check, Columns3 } from "lucide-react";
import { useDeferredValue, useState } from "react";
import {
  Button as DragButton,
  GridList,
  GridListItem,
  Checkbox as RowCheckbox,
  useDragAndDrop,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import { clampWidth, type View, type ViewSearch } from "~/model/view";
import { Button } from "~/ui/Button";
import { Dropdown } from "~/ui/Dropdown";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "./ColumnMenu.module.css";
import type { Column } from "./columns";

interface Props {
  /** All columns that there are. */
  all: readonly Column[];
  shown: readonly Column[];
  view: View;
  onChange: (part: Partial<Record<keyof ViewSearch, unknown>>) => void;
}

const WIDTH_STEP = 20;

/** Which columns there are, in which order, and how many stay at the left. */
export function ColumnMenu({ all, shown, view, onChange }: Props) {
  const { texts } = useLocale();
  const pins = [0, 1, 2, 3, 4].map((count) => ({ id: String(count), label: String(count) }));
  const label = (
    <>
      <Columns3 size={14} aria-hidden="true" />
      <span className="hidden-on-phones">{texts.table.columns}</span>
    </>
  );
  return (
    <Dropdown title={texts.table.columns} label={label}>
      {() => (
        <>
          <ColumnList all={all} shown={shown} view={view} onChange={onChange} />
          <div className={styles.pins}>
            <Select
              label={texts.table.pinnedColumns}
              options={pins}
              value={String(view.pinned)}
              onChange={(count) => onChange({ pinned: Number(count) })}
            />
          </div>
          <Button
            variant="quiet"
            onPress={() => onChange({ columns: undefined, widths: undefined, pinned: undefined })}
          >
            {texts.table.resetColumns}
          </Button>
        </>
      )}
    </Dropdown>
  );
}

/** More columns are found by typing; a longer list would be slow. */
const MOST_LISTED = 60;
/** So many are found at a glance. */
const FEW = 12;

function ColumnList({ all, shown, view, onChange }: Props) {
  const { texts, number } = useLocale();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const paths = shown.map(({ path }) => path);
  const isShown = new Set(paths);
  const rest = all.filter(({ path }) => !isShown.has(path));
  const order = [...shown, ...rest].map(({ path }) => path);
  const found = [...shown, ...rest].filter(({ label }) => label.toLowerCase().includes(wanted));
  const items = found.slice(0, MOST_LISTED).map((column) => ({ id: column.path, column }));
  const reorder = (moved: ReadonlySet<unknown>, target: string, isAfter: boolean) => {
    const others = order.filter((path) => !moved.has(path));
    const at = others.indexOf(target) + (isAfter ? 1 : 0);
    const wanted = others.toSpliced(at, 0, ...order.filter((path) => moved.has(path)));
    onChange({ columns: wanted.filter((path) => isShown.has(path)) });
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) =>
      reorder(new Set(keys), String(target.key), target.dropPosition === "after"),
    acceptedDragTypes: ["text/plain"],
    getDropOperation: () => "move",
  });
  return (
    <>
      {all.length > FEW && (
        <TextField
          label={texts.table.searchColumns}
          hidesLabel
          placeholder={texts.table.searchColumns}
          type="search"
          value={text}
          onChange={setText}
        />
      )}
      <p className={styles.hint}>{texts.table.columnsHint}</p>
      <GridList
        aria-label={texts.table.columns}
        className={styles.list ?? ""}
        items={items}
        renderEmptyState={() => <p className={styles.hint}>{texts.designer.noMatch}</p>}
        selectionMode="multiple"
        disallowEmptySelection
        // Escape closes the menu.
        escapeKeyBehavior="none"
        selectedKeys={paths}
        onSelectionChange={(keys) => {
          const isListed = new Set<unknown>(items.map(({ id }) => id));
          const isChosen = (path: string) =>
            keys === "all" ? isListed.has(path) || isShown.has(path) : keys.has(path);
          const chosen = order.filter(isChosen);
          if (chosen.length > 0) onChange({ columns: chosen });
        }}
        dragAndDropHooks={dragAndDropHooks}
        dependencies={[view.widths, paths]}
      >
        {({ id, column }) => (
          <GridListItem id={id} textValue={column.label} className={styles.item ?? ""}>
            <DragButton slot="drag" className={styles.drag ?? ""}>
              ⠿
            </DragButton>
            <RowCheckbox slot="selection" className={styles.check ?? ""}>
              <span className={styles.box} aria-hidden="true">
                <Check size={12} />
              </span>
            </RowCheckbox>
            <span className={styles.label} title={column.label}>
              {column.label}
            </span>
            {isShown.has(id) && (
              <WidthButtons
                column={column}
                onWidth={(width) => onChange({ widths: { ...view.widths, [id]: width } })}
              />
            )}
          </GridListItem>
        )}
      </GridList>
      {found.length > items.length && (
        <p className={styles.hint}>
          {texts.table.moreColumns(number(found.length - items.length))}
        </p>
      )}
    </>
  );
}

/** The keyboard's way to what the edges of the columns do. */
function WidthButtons({ column, onWidth }: { column: Column; onWidth: (width: number) => void }) {
  const { texts } = useLocale();
  const change = (step: number) => onWidth(clampWidth(column.width + step));
  return (
    <span className={styles.widths}>
      <Button
        variant="quiet"
        aria-label={`${texts.table.width(column.label)} −`}
        onPress={() => change(-WIDTH_STEP)}
      >
        −
      </Button>
      <Button
        variant="quiet"
        aria-label={`${texts.table.width(column.label)} +`}
        onPress={() => change(WIDTH_STEP)}
      >
        +
      </Button>
    </span>
  );
}
