import { ChevronRight, GripVertical, Pencil, Plus, Trash2 } from "lucide-react";
import { Button as AriaButton, TreeItem, TreeItemContent } from "react-aria-components";
import type { Category } from "~/api/records";
import { useLocale } from "~/i18n";
import { entryOf } from "~/model/categories";
import type { TreeNode } from "~/model/tree";
import { Button } from "~/ui/Button";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./categories.module.css";

/** What can be done with a category, as far as the caller may. */
export interface EntryActions {
  may: { add: boolean; edit: boolean; delete: boolean };
  onAdd: (parent: number) => void;
  onEdit: (category: Category) => void;
  onDelete: (category: Category) => void;
}

interface Props extends EntryActions {
  node: TreeNode;
  categories: ReadonlyMap<number, Category>;
}

/** A category with all below it, or a type. */
export function TreeEntry({ node, categories, ...actions }: Props) {
  const { texts } = useLocale();
  const { category: id, type } = entryOf(node.key);
  const category = type === undefined ? categories.get(id ?? 0) : undefined;
  return (
    <TreeItem id={node.key} textValue={node.label} className={styles.item ?? ""}>
      <TreeItemContent>
        {({ level, hasChildItems, allowsDragging }) => (
          <div className={styles.row} style={{ paddingInlineStart: `${(level - 1) * 24 + 4}px` }}>
            {allowsDragging && node.key !== "other" ? (
              <AriaButton
                slot="drag"
                className={styles.handle ?? ""}
                aria-label={texts.categories.drag(node.label)}
              >
                <GripVertical size={14} aria-hidden="true" />
              </AriaButton>
            ) : (
              <span className={styles.handle} />
            )}
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.handle ?? ""}>
                <ChevronRight size={14} aria-hidden="true" className={styles.chevron} />
              </AriaButton>
            ) : (
              <span className={styles.handle} />
            )}
            <TypeIcon name={node.icon} />
            <span className={type === undefined ? styles.category : undefined}>{node.label}</span>
            {category && <EntryButtons category={category} {...actions} />}
          </div>
        )}
      </TreeItemContent>
      {node.children.map((child) => (
        <TreeEntry key={child.key} node={child} categories={categories} {...actions} />
      ))}
    </TreeItem>
  );
}

function EntryButtons({ category, may, ...on }: EntryActions & { category: Category }) {
  const { texts } = useLocale();
  const name = category.label || category.name;
  const { addBelow, edit, remove } = texts.categories;
  return (
    <span className={styles.buttons}>
      {may.add && (
        <Button
          variant="quiet"
          aria-label={addBelow(name)}
          onPress={() => on.onAdd(category.public_id)}
        >
          <Plus size={15} aria-hidden="true" />
        </Button>
      )}
      {may.edit && (
        <Button variant="quiet" aria-label={edit(name)} onPress={() => on.onEdit(category)}>
          <Pencil size={15} aria-hidden="true" />
        </Button>
      )}
      {may.delete && (
        <Button variant="quiet" aria-label={remove(name)} onPress={() => on.onDelete(category)}>
          <Trash2 size={15} aria-hidden="true" />
        </Button>
      )}
    </span>
  );
}
