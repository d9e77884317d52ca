import { ArrowDown, ArrowUp } from "lucide-react";
import { useLocale } from "~/i18n";
import type { View, ViewSearch } from "~/model/view";
import { Button } from "~/ui/Button";
import { Select } from "~/ui/Select";
import type { Column } from "./columns";
import styles from "./SortSelect.module.css";

/** The list's own order; no path is empty. */
const NONE = "";

interface Props {
  view: View;
  columns: readonly Column[];
  onChange: (part: Partial<Record<keyof ViewSearch, unknown>>) => void;
}

/** What the heads of columns do, for cards, which have none. */
export function SortSelect({ view: { sort }, columns, onChange }: Props) {
  const { texts } = useLocale();
  const sortable = columns.filter(({ isSortable }) => isSortable);
  const options = [
    { id: NONE, label: texts.table.listOrder },
    ...sortable.map(({ path, label }) => ({ id: path, label })),
  ];
  const path = options.some(({ id }) => id === sort?.path) ? (sort?.path ?? NONE) : NONE;
  const choose = (chosen: string) => onChange({ sort: chosen === NONE ? undefined : chosen });
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  return (
    <div className={styles.sort}>
      <Select
        label={texts.table.sortBy}
        hidesLabel
        options={options}
        value={path}
        onChange={choose}
      />
      {sort && path !== NONE && (
        <Button
          aria-label={sort.descending ? texts.table.descending : texts.table.ascending}
          onPress={() => onChange({ sort: sort.descending ? path : `-${path}` })}
        >
          <Arrow size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
