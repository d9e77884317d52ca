import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Key } from "react-aria-components";
import { keysAbove, type TreeNode } from "~/model/tree";

/** The open branches: the first level, those above the type on the screen, and what people open. */
export function useBranches(tree: readonly TreeNode[]) {
  const type = useSearch({ strict: false, select: (search) => search.type });
  const [expandedKeys, onExpandedChange] = useState<ReadonlySet<Key>>(new Set());
  const [seen, setSeen] = useState<{ size: number; type: number | undefined }>();
  const places = type === undefined ? [] : keysAbove(tree, type);
  // A type that is not there yet is shown as soon as it is.
  const found = places.length > 0 ? type : undefined;
  if (seen?.size !== tree.length || seen?.type !== found) {
    const first = seen?.size === tree.length ? [] : tree.map(({ key }) => key);
    const isShown = places.some((keys) => keys.every((key) => expandedKeys.has(key)));
    setSeen({ size: tree.length, type: found });
    onExpandedChange(new Set([...expandedKeys, ...first, ...(isShown ? [] : (places[0] ?? []))]));
  }
  return { expandedKeys, onExpandedChange };
}
