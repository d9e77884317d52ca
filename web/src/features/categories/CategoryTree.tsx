import { type KeyboardEvent, useMemo, useState } from "react";
import { DropIndicator, type Key, Tree, useDragAndDrop } from "react-aria-components";
import type { Category, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { type Direction, movesOf, stepTarget, type Target } from "~/model/categories";
import { type TreeNode, treeOf } from "~/model/tree";
import { toastFailure } from "~/ui/Toasts";
import styles from "./categories.module.css";
import { type EntryActions, TreeEntry } from "./TreeEntry";
import { useMove } from "./useMove";

interface Props extends EntryActions {
  categories: readonly Category[];
  types: readonly ObjectType[];
}

interface NamedEntry {
  label: string;
  /** 0 at the top. */
  level: number;
}

const LEVEL_WIDTH_PX = 24;

const STEPS: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
};

/** Categories and types; both can be dragged, and moved by Alt and the arrow keys. */
export function CategoryTree({ categories, types, ...actions }: Props) {
  const { texts } = useLocale();
  const tree = useMemo(
    () => treeOf(categories, types, texts.withoutCategory),
    [categories, types, texts],
  );
  const entries = useMemo(() => entriesOf(tree, 0), [tree]);
  // Whatever is new is open.
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  const expanded = useMemo(
    () => new Set<Key>([...entries.keys()].filter((key) => !closed.has(key))),
    [entries, closed],
  );
  const move = useMove();
  const moveTo = (keys: readonly string[], target: Target) => {
    const changes = movesOf(categories, keys, target);
    const name = keys.map((key) => entries.get(key)?.label).join(", ");
    if (!changes) return toastFailure(texts.categories.cannotMove(name));
    if (target.position === "on")
      setClosed(new Set([...closed].filter((key) => key !== target.key)));
    if (changes.length > 0) move.mutate({ changes, name });
  };
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !actions.may.edit,
    getItems: (keys) =>
      [...keys].map((key) => ({
        "text/plain": entries.get(String(key))?.label ?? "",
        [String(key).includes("t") ? "stockroom-type" : "stockroom-category"]: String(key),
      })),
    // A type holds nothing, and only types can be without a category.
    getDropOperation: (target, dragged) => {
      const isType = dragged.has("stockroom-type");
      if (target.type === "root") return isType ? "cancel" : "move";
      const key = String(target.key);
      const isOntoType = target.dropPosition === "on" && /t\d+$/.test(key);
      const isOther = !key.startsWith("c");
      const isBetween = target.dropPosition !== "on";
      if (isOntoType || (isOther && (!isType || isBetween))) return "cancel";
      return isType && isBetween && !/t\d+$/.test(key) ? "cancel" : "move";
    },
    renderDropIndicator: (target) => {
      const level = target.type === "item" ? (entries.get(String(target.key))?.level ?? 0) : 0;
      const style = { marginInlineStart: `${level * LEVEL_WIDTH_PX}px` };
      return <DropIndicator target={target} className={styles.drop ?? ""} style={style} />;
    },
    onMove: ({ keys, target }) =>
      moveTo([...keys].map(String), { key: String(target.key), position: target.dropPosition }),
  });
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const direction = STEPS[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-key]");
    if (!event.altKey || !direction || !row || !actions.may.edit) return;
    event.preventDefault();
    event.stopPropagation();
    const key = row.dataset["key"] ?? "";
    const target = stepTarget(categories, key, direction);
    if (target) moveTo([key], target);
  };
  const byId = useMemo(() => new Map(categories.map((one) => [one.public_id, one])), [categories]);
  return (
    <div onKeyDownCapture={step}>
      <Tree
        aria-label={texts.categories.tree}
        className={styles.tree ?? ""}
        expandedKeys={expanded}
        onExpandedChange={(open) =>
          setClosed(new Set([...entries.keys()].filter((key) => !open.has(key))))
        }
        dragAndDropHooks={dragAndDropHooks}
        onAction={(key) => {
          const category = byId.get(Number(String(key).slice(1)));
          if (category && actions.may.edit) actions.onEdit(category);
        }}
      >
        {tree.map((node) => (
          <TreeEntry key={node.key} node={node} categories={byId} {...actions} />
        ))}
      </Tree>
    </div>
  );
}

function entriesOf(nodes: readonly TreeNode[], level: number): Map<string, NamedEntry> {
  return new Map(
    nodes.flatMap(({ key, label, children }) => [
      [key, { label, level }],
      ...entriesOf(children, level + 1),
    ]),
  );
}
