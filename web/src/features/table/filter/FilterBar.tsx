import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useActions } from "~/actions";
import { serverUrl } from "~/api/client";
import { namedQuery } from "~/api/objectNames";
import { listParameters } from "~/api/rows";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { curlCommand, filterOf } from "~/model/filter";
import type { Condition } from "~/model/filter/condition";
import { valuesOf } from "~/model/filter/operand";
import { partsBelow } from "~/model/filter/tree";
import { treeOfView, viewOfTree } from "~/model/filter/treeJson";
import type { View, ViewSearch } from "~/model/view";
import { Button } from "~/ui/Button";
import { Chip } from "~/ui/Chip";
import { copyText } from "~/ui/copyText";
import { Select } from "~/ui/Select";
import type { Column } from "../columns";
import { SortSelect } from "../SortSelect";
import { AddFilter } from "./AddFilter";
import styles from "./FilterBar.module.css";
import { FilterDialog } from "./FilterDialog";
import { QuickSearch } from "./QuickSearch";

interface Props {
  view: View;
  columns: readonly Column[];
  shown: readonly Column[];
  onChange: (part: Partial<Record<keyof ViewSearch, unknown>>) => void;
  onSearch: (text: string | undefined) => void;
}

/** The conditions as chips, ways to change them, and how the table looks. */
export function FilterBar({ view, columns, shown, onChange, onSearch }: Props) {
  const { texts, number } = useLocale();
  // A view that was saved by the API may have its conditions as JSON.
  const { conditions, filter } = viewOfTree(treeOfView(view));
  const [isBuilding, setIsBuilding] = useState(false);
  const build = () => setIsBuilding(true);
  useActions([{ id: "filter", label: texts.filter.edit, keys: "f", run: build }]);
  const offered = columns.filter((column) => column.isSortable);
  const densities = (["compact", "medium", "roomy"] as const).map((id) => ({
    id,
    label: texts[id],
  }));
  const apply = ({ conditions, filter }: Pick<View, "conditions" | "filter">) =>
    onChange({ where: conditions.length > 0 ? conditions : undefined, filter });
  const textOf = useChipText(conditions, columns);
  const grouped = partsBelow(treeOfView({ conditions: [], filter }));
  return (
    <div className={styles.bar}>
      <div className={styles.search}>
        <QuickSearch text={view.search} onSearch={onSearch} />
      </div>
      <AddFilter
        columns={offered}
        among={filterOf(view)}
        onAdd={(condition) => apply({ conditions: [...conditions, condition], filter })}
      />
      <Button onPress={build}>
        <ListFilter size={14} aria-hidden="true" />
        {texts.filter.edit}
      </Button>
      <SortSelect view={view} columns={shown} onChange={onChange} />
      {conditions.map((condition, index) => (
        <Chip
          key={JSON.stringify(condition)}
          text={textOf(condition)}
          onRemove={() =>
            apply({ conditions: conditions.filter((_, other) => other !== index), filter })
          }
        />
      ))}
      {filter !== undefined && (
        <Chip
          text={texts.filter.title(number(grouped.filter(({ what }) => what !== "group").length))}
          onRemove={() => onChange({ filter: undefined })}
        />
      )}
      {conditions.length + (filter === undefined ? 0 : 1) > 1 && (
        <Button variant="quiet" onPress={() => onChange({ where: undefined, filter: undefined })}>
          {texts.clearFilters}
        </Button>
      )}
      <span className={styles.space} />
      <span className={styles.wide}>
        <CopyCurl view={view} />
        <Select
          label={texts.rowHeight}
          hidesLabel
          options={densities}
          value={view.density}
          onChange={(density) => onChange({ density })}
        />
      </span>
      {isBuilding && (
        <FilterDialog
          view={view}
          columns={offered}
          among={filterOf(view)}
          onApply={(whole) => {
            setIsBuilding(false);
            apply(whole);
          }}
          onClose={() => setIsBuilding(false)}
        />
      )}
    </div>
  );
}

/** More values are counted instead of named. */
const MOST_NAMED = 3;

/** What a condition says, with the names of options and of objects that are referred to. */
function useChipText(conditions: readonly Condition[], columns: readonly Column[]) {
  const { texts } = useLocale();
  const columnOf = ({ path }: Condition) => columns.find((column) => column.path === path);
  const referred = conditions.flatMap((condition) => {
    const field = columnOf(condition)?.field;
    const targets = field && kindOf(field).targets;
    return targets ? valuesOf(condition.value).slice(0, MOST_NAMED).flatMap(targets) : [];
  });
  const names = useQuery(namedQuery(referred.map(String))).data;
  return (condition: Condition): string => {
    const column = columnOf(condition);
    const nameOf = (value: string) => {
      const option = column?.asked.options?.find(({ name }) => name === value);
      const target = referred.includes(Number(value)) ? names?.get(Number(value)) : undefined;
      const word = column && kindOf(column.asked).operandText?.(value, texts);
      return `“${target || option?.label || word || value}”`;
    };
    const values = valuesOf(condition.value);
    const shown = values.slice(0, MOST_NAMED).map(nameOf).join(", ");
    const more = values.length > MOST_NAMED ? ` +${values.length - MOST_NAMED}` : "";
    const operator = texts.table.operators[condition.operator];
    return `${column?.label ?? condition.path} ${operator} ${shown}${more}`.trim();
  };
}

function CopyCurl({ view }: { view: View }) {
  const { texts } = useLocale();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    const parameters = Object.entries(listParameters(view));
    const texted = Object.fromEntries(parameters.map(([name, value]) => [name, String(value)]));
    copyText(curlCommand(new URL("rest/objects", serverUrl).href, texted));
    setIsCopied(true);
  };
  return (
    <Button variant="quiet" onPress={copy} onBlur={() => setIsCopied(false)}>
      <span aria-live="polite">{isCopied ? texts.copied : texts.copyCurl}</span>
    </Button>
  );
}
