import { useState } from "react";
import { useLocale } from "~/i18n";
import { isFilter, readFilter } from "~/model/filter";
import { faultOf, type Group, lastId, NO_FILTER } from "~/model/filter/tree";
import { treeJson, treeOf, treeOfView, viewOfTree } from "~/model/filter/treeJson";
import type { View } from "~/model/view";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { Tabs } from "~/ui/Tabs";
import { TextField } from "~/ui/TextField";
import type { Column } from "../columns";
import styles from "./FilterDialog.module.css";
import { GroupEditor } from "./GroupEditor";

interface Props {
  view: View;
  columns: readonly Column[];
  /** The objects that options are counted among. */
  among: string | undefined;
  onApply: (filter: Pick<View, "conditions" | "filter">) => void;
  onClose: () => void;
}

type Tab = "builder" | "json";

/** The whole filter: as groups of conditions, or as JSON. Both are the same. */
export function FilterDialog({ view, columns, among, onApply, onClose }: Props) {
  const { texts } = useLocale();
  const [tree, setTree] = useState(() => treeOfView(view));
  const [text, setText] = useState("");
  const [tab, setTab] = useState<Tab>("builder");
  const [error, setError] = useState<string>();
  const [fresh, setFresh] = useState<number>();
  /** The tree of the tab that is open; nothing if its text is no filter. */
  const current = (): Group | undefined => {
    if (tab === "builder") return tree;
    if (isFilter(text)) return treeOf(readFilter(text));
    setError(texts.table.notJson);
    return undefined;
  };
  const select = (next: Tab) => {
    const shown = current();
    if (!shown) return;
    setError(undefined);
    setTree(shown);
    if (next === "json") setText(JSON.stringify(treeJson(shown), null, 2));
    setTab(next);
  };
  const apply = () => {
    const shown = current();
    const fault = shown && faultOf(shown);
    if (fault) setError(texts.filter.faults[fault]);
    else if (shown) onApply(viewOfTree(shown));
  };
  const change = (next: Group) => {
    setError(undefined);
    setTree(next);
  };
  return (
    <Dialog
      title={texts.filter.dialog}
      isOpen
      onClose={onClose}
      width="wide"
      actions={
        <>
          <Button variant="quiet" onPress={() => onApply(viewOfTree(NO_FILTER))}>
            {texts.clearFilters}
          </Button>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" onPress={apply}>
            {texts.apply}
          </Button>
        </>
      }
    >
      <Tabs
        label={texts.filter.dialog}
        tabs={[
          { id: "builder", label: texts.filter.builder },
          { id: "json", label: texts.filter.json },
        ]}
        selected={tab}
        onSelect={select}
      >
        {tab === "builder" ? (
          <GroupEditor
            group={tree}
            depth={1}
            context={{
              root: tree,
              columns,
              among,
              fresh,
              onChange: change,
              onAdd: (next) => {
                setFresh(lastId(next));
                change(next);
              },
            }}
          />
        ) : (
          <TextField
            label={texts.table.jsonFilter}
            hint={texts.filter.jsonHint}
            lines={14}
            value={text}
            onChange={setText}
          />
        )}
      </Tabs>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </Dialog>
  );
}
