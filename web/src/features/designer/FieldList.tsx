import { GripVertical, TriangleAlert } from "lucide-react";
import {
  Button,
  type DropItem,
  GridList,
  GridListItem,
  type ItemDropTarget,
  type Key,
  useDragAndDrop,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import type { DraftField } from "~/model/typeDraft";
import type { Place } from "~/model/typeEdit";
import type { TypeFaults } from "~/model/typeFaults";
import { FIELD, KIND } from "./drag";
import styles from "./FieldList.module.css";

interface Props {
  label: string;
  section: string;
  fields: readonly DraftField[];
  chosen: string | undefined;
  faults: TypeFaults;
  /** Takes no fields, and gives none away. */
  isLocked: boolean;
  onChoose: (key: string | undefined) => void;
  onDrop: (key: string, place: Place) => void;
  onAdd: (kind: string, place: Place) => void;
}

/** The fields of one section. */
export function FieldList(props: Props) {
  const { label, section, fields, chosen, faults, isLocked, onChoose, onDrop, onAdd } = props;
  const { texts } = useLocale();
  const indexOf = (key: Key) => fields.findIndex((field) => field.key === key);
  const take = async (items: readonly DropItem[], index: number) => {
    for (const item of items) {
      if (item.kind !== "text") continue;
      const place = { section, index };
      if (item.types.has(FIELD)) onDrop(await item.getText(FIELD), place);
      else if (item.types.has(KIND)) onAdd(await item.getText(KIND), place);
    }
  };
  const gap = ({ key, dropPosition }: ItemDropTarget) =>
    indexOf(key) + (dropPosition === "after" ? 1 : 0);
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: isLocked,
    getItems: (keys) => [...keys].map((key) => ({ [FIELD]: String(key) })),
    acceptedDragTypes: [FIELD, KIND],
    getDropOperation: (_, types) => (types.has(KIND) ? "copy" : "move"),
    onReorder: ({ keys, target }) => {
      const [key] = [...keys];
      if (key === undefined) return;
      const goal = gap(target);
      onDrop(String(key), { section, index: indexOf(key) < goal ? goal - 1 : goal });
    },
    onInsert: ({ items, target }) => void take(items, gap(target)),
    onRootDrop: ({ items }) => void take(items, fields.length),
  });
  return (
    <GridList
      aria-label={label}
      className={styles.list ?? ""}
      items={fields}
      dependencies={[faults, chosen]}
      dragAndDropHooks={dragAndDropHooks}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={chosen !== undefined && indexOf(chosen) >= 0 ? [chosen] : []}
      onSelectionChange={(keys) => {
        const [key] = keys === "all" ? [] : [...keys];
        if (key !== undefined) onChoose(String(key));
      }}
      renderEmptyState={() => <p className={styles.empty}>{texts.designer.emptySection}</p>}
    >
      {(field) => <FieldRow field={field} isRefused={faults.fields.has(field.key)} />}
    </GridList>
  );
}

function FieldRow({ field, isRefused }: { field: DraftField; isRefused: boolean }) {
  const { texts } = useLocale();
  const { definition, key } = field;
  const { icon: Icon } = kindOf(definition);
  const label = definition.label || definition.name;
  return (
    <GridListItem id={key} textValue={label} className={styles.row ?? ""}>
      {({ allowsDragging }) => (
        <>
          {allowsDragging && (
            <Button
              slot="drag"
              className={styles.handle ?? ""}
              aria-label={texts.designer.drag(label)}
            >
              <GripVertical size={14} aria-hidden="true" />
            </Button>
          )}
          <Icon size={14} aria-hidden="true" />
          <span className={styles.label}>
            {label}
            {definition.required && <span className={styles.soft}> {texts.form.required}</span>}
          </span>
          {isRefused && (
            <span className={styles.refused}>
              <TriangleAlert size={13} aria-hidden="true" />
              {texts.designer.refused}
            </span>
          )}
          <code className={styles.name}>{definition.name}</code>
        </>
      )}
    </GridListItem>
  );
}
