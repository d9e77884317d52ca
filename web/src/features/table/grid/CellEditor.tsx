import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useLatest } from "~/actions/useLatest";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { isSame } from "~/model/draft";
import type { Row } from "~/model/row";
import { toastFailure } from "~/ui/Toasts";
import styles from "./Grid.module.css";
import type { CellEdits } from "./useCellEdits";

interface Props {
  row: Row;
  field: FieldDefinition;
  /** What was typed on the cell; it replaces the value. */
  typed: string | undefined;
  edits: CellEdits;
  /** Done; the step leads to the cell beside this one. */
  onEnd: (step: number | undefined) => void;
}

/** The control of a field in its cell: Enter and Tab save, Escape does not. */
export function CellEditor({ row, field, typed, edits, onEnd }: Props) {
  const { texts } = useLocale();
  const { Edit, commitsOnChange, isTyped, parse } = kindOf(field);
  const before = row.values.get(field.name) ?? null;
  const state = edits.stateOf(row.id, field.name);
  const [value, setValue] = useState(() => {
    if (typed !== undefined && isTyped) return parse(typed, field);
    return state ? state.value : before;
  });
  const [edit] = useState(() => edits.begin(row, field));
  const element = useRef<HTMLDivElement>(null);
  const isOver = useRef(false);
  const end = (step: number | undefined, saves: boolean, chosen = value) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(step);
    if (saves) edits.save(edit, chosen);
    else edits.forget(edit);
  };
  useRemoved(element, () => {
    if (!isOver.current && !isSame(value, before)) {
      toastFailure(texts.table.notSaved(field.label || field.name, String(row.id)));
    }
  });
  const press = (event: KeyboardEvent) => {
    // Keys of an open list are its own.
    if (!element.current?.contains(event.target as Node)) return;
    if (event.key === "Escape") end(0, false);
    else if (event.key === "Enter" && !commitsOnChange) end(0, true);
    else if (event.key === "Tab") end(event.shiftKey ? -1 : 1, true);
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (event: FocusEvent) => {
    const isInside = element.current?.contains(event.relatedTarget);
    // What took the focus keeps it.
    if (!isInside && !commitsOnChange) end(event.relatedTarget ? undefined : 0, true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the control inside
    <div ref={element} className={styles.editor} onKeyDown={press} onBlur={leave}>
      <Edit
        field={field}
        value={value}
        onChange={(chosen) => {
          setValue(chosen);
          if (commitsOnChange) end(0, true, chosen);
        }}
        hidesLabel
        autoFocus
      />
    </div>
  );
}

/** The whole table may go with its last row, or by the way back. */
function useRemoved(element: RefObject<HTMLElement | null>, onRemoved: () => void) {
  const latest = useLatest(onRemoved);
  useEffect(() => {
    const mounted = element.current;
    return () => {
      if (!mounted?.isConnected) latest.current();
    };
  }, [element, latest]);
}
