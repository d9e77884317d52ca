/** The tree of categories with their types. */
import type { Category, ObjectType } from "~/api/records";

export interface TreeNode {
  /** Unique in the tree: a type may be in many categories. */
  key: string;
  label: string;
  icon: string | null;
  /** A type's id; nothing for a category. */
  type: number | undefined;
  children: TreeNode[];
}

/** The objects of a type, or of all types below a category, each type once. */
export function countOf(node: TreeNode, counts: ReadonlyMap<number, number>): number {
  const types = new Set(typesBelow(node));
  return [...types].reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
}

/** The categories above a type, the outermost first; none if no category has it. */
export function pathTo(type: number, categories: readonly Category[]): Category[] {
  const path: Category[] = [];
  let category = categories.find(({ types }) => types.includes(type));
  // The server allows no circle, but one read while it changes must not hang the page.
  while (category && !path.includes(category)) {
    path.unshift(category);
    const { parent } = category;
    category = categories.find(({ public_id }) => public_id === parent);
  }
  return path;
}

function typesBelow(node: TreeNode): number[] {
  return node.type === undefined ? node.children.flatMap(typesBelow) : [node.type];
}

/** All categories and types. Types without a category come last, below `otherLabel`. */
export function treeOf(
  categories: readonly Category[],
  types: readonly ObjectType[],
  otherLabel: string,
): TreeNode[] {
  const typesById = new Map(types.map((type) => [type.public_id, type]));
  const inCategories = new Set(categories.flatMap((category) => category.types));
  const nodesBelow = (parent: number | null): TreeNode[] =>
    categories
      .filter((category) => category.parent === parent)
      .toSorted(byOrder)
      .map((category) => {
        const own = category.types.flatMap((id) => typesById.get(id) ?? []);
        const key = `c${category.public_id}`;
        return {
          key,
          label: category.label || category.name,
          icon: category.meta.icon,
          type: undefined,
          children: [
            ...nodesBelow(category.public_id),
            ...own.map((type) => typeNode(type, `${key}-`)),
          ],
        };
      });
  const others = types.filter((type) => !inCategories.has(type.public_id));
  const tree = nodesBelow(null);
  if (others.length === 0) return tree;
  const otherNodes = others.map((type) => typeNode(type, ""));
  if (tree.length === 0) return otherNodes;
  const other = { key: "other", label: otherLabel, icon: null, type: undefined };
  return [...tree, { ...other, children: otherNodes }];
}

/** The keys of the categories above a type: a list for each place where the tree shows it. */
export function keysAbove(nodes: readonly TreeNode[], type: number): string[][] {
  return nodes.flatMap((node) => {
    if (node.type === type) return [[]];
    return keysAbove(node.children, type).map((keys) => [node.key, ...keys]);
  });
}

function typeNode(type: ObjectType, prefix: string): TreeNode {
  return {
    key: `${prefix}t${type.public_id}`,
    label: type.label || type.name,
    icon: type.render_meta.icon,
    type: type.public_id,
    children: [],
  };
}

/** Siblings in their order; those without one come last. */
export function byOrder(left: Category, right: Category): number {
  const order = (category: Category) => category.meta.order ?? Number.MAX_SAFE_INTEGER;
  return order(left) - order(right) || left.label.localeCompare(right.label);
}

/** What matches, with everything above it and, of a category, everything below it. */
export function filterTree(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...nodes];
  return nodes.flatMap((node) => {
    if (node.label.toLowerCase().includes(wanted)) return [node];
    const children = filterTree(node.children, text);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}
