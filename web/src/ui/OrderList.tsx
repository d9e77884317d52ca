import { GripVertical, X } from "lucide-react";
import {
  Button as AriaButton,
  GridList,
  GridListItem,
  useDragAndDrop,
} from "react-aria-components";
import { Button } from "./Button";
import styles from "./OrderList.module.css";

interface Props {
  label: string;
  items: readonly { id: string; label: string }[];
  dragLabel: string;
  removeLabel: (item: string) => string;
  /** The items that are left, in their new order. */
  onOrder: (ids: string[]) => void;
}

/** A list whose items are dragged, by mouse or keys, and removed. */
export function OrderList({ label, items, dragLabel, removeLabel, onOrder }: Props) {
  const order = items.map(({ id }) => id);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const others = order.filter((id) => !keys.has(id));
      const at = others.indexOf(String(target.key)) + (target.dropPosition === "after" ? 1 : 0);
      onOrder(others.toSpliced(at, 0, ...order.filter((id) => keys.has(id))));
    },
  });
  return (
    <GridList
      aria-label={label}
      className={styles.list ?? ""}
      items={items}
      dragAndDropHooks={dragAndDropHooks}
    >
      {(item) => (
        <GridListItem textValue={item.label} className={styles.item ?? ""}>
          <AriaButton slot="drag" className={styles.drag ?? ""} aria-label={dragLabel}>
            <GripVertical size={14} aria-hidden="true" />
          </AriaButton>
          <span className={styles.label}>{item.label}</span>
          <Button
            variant="quiet"
            aria-label={removeLabel(item.label)}
            onPress={() => onOrder(order.filter((id) => id !== item.id))}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </GridListItem>
      )}
    </GridList>
  );
}
