import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Button, Tree, TreeItem, TreeItemContent } from "react-aria-components";
import { countsQuery } from "~/api/aggregates";
import { categoriesQuery } from "~/api/categories";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { countOf, filterTree, type TreeNode, treeOf } from "~/model/tree";
import { ProblemAlert } from "~/ui/Alert";
import { TextField } from "~/ui/TextField";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./InventoryTree.module.css";
import { useBranches } from "./useBranches";

const NOTHING: readonly TreeNode[] = [];

/** Categories with their types; a type leads to its objects. */
export function InventoryTree({ onOpenType }: { onOpenType: (type: number) => void }) {
  const { texts } = useLocale();
  const categories = useQuery(categoriesQuery);
  const types = useQuery(typesQuery);
  const counts = useQuery(countsQuery).data;
  const [text, setText] = useState("");
  const tree = useMemo(
    () => treeOf(categories.data ?? [], types.data ?? [], texts.withoutCategory),
    [categories.data, types.data, texts],
  );
  const shown = useMemo(() => filterTree(tree, text), [tree, text]);
  // Without the categories, the tree would open as what it is not.
  const branches = useBranches(categories.data && types.data ? tree : NOTHING);
  const error = categories.error ?? types.error;
  if (error && !(categories.data && types.data)) return <ProblemAlert error={error} />;
  const openNode = (key: string) => {
    const type = /t(\d+)$/.exec(key)?.[1];
    if (type !== undefined) onOpenType(Number(type));
  };
  return (
    <div className={styles.inventory}>
      <TextField
        label={texts.filterTree}
        hidesLabel
        placeholder={texts.filterTree}
        type="search"
        value={text}
        onChange={setText}
      />
      <Tree
        key={text}
        aria-label={texts.inventory}
        className={styles.tree ?? ""}
        // A filter opens everything that it leaves.
        {...(text ? { defaultExpandedKeys: keysOf(shown) } : branches)}
        onAction={(key) => openNode(String(key))}
        renderEmptyState={() => types.data && text && <p>{texts.noTreeMatch}</p>}
      >
        {shown.map((node) => (
          <Node key={node.key} node={node} counts={counts} />
        ))}
      </Tree>
    </div>
  );
}

function keysOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => [node.key, ...keysOf(node.children)]);
}

interface NodeProps {
  node: TreeNode;
  counts: ReadonlyMap<number, number> | undefined;
}

function Node({ node, counts }: NodeProps) {
  const { number } = useLocale();
  return (
    <TreeItem id={node.key} textValue={node.label} className={styles.item ?? ""}>
      <TreeItemContent>
        {({ level }) => (
          <span className={styles.row} data-level={Math.min(level, 6)}>
            {node.type === undefined ? (
              <Button slot="chevron" className={styles.chevron ?? ""}>
                <ChevronRight size={14} aria-hidden="true" />
              </Button>
            ) : (
              <TypeIcon name={node.icon} />
            )}
            {node.type === undefined ? (
              <span className={styles.category}>{node.label}</span>
            ) : (
              <Link
                to="/objects"
                search={{ type: node.type }}
                activeOptions={{ includeSearch: true }}
                tabIndex={-1}
                className={styles.type}
              >
                {node.label}
              </Link>
            )}
            {counts && <span className={styles.count}>{number(countOf(node, counts))}</span>}
          </span>
        )}
      </TreeItemContent>
      {node.children.map((child) => (
        <Node key={child.key} node={child} counts={counts} />
      ))}
    </TreeItem>
  );
}
