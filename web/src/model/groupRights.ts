/** Rights: a name that ends in `.*` is a master and includes all rights below it. */
import type { Right } from "~/api/records";

export interface RightNode {
  right: Right;
  children: RightNode[];
}

/** Whether a right is granted itself, by a master above it, in part (below it), or not at all. */
export type Grant = "own" | "covered" | "some" | "none";

function includes(master: string, name: string): boolean {
  return master.endsWith(".*") && name !== master && name.startsWith(master.slice(0, -1));
}

/** Each right below the closest master that includes it, in the order of the list. */
export function rightsTree(rights: readonly Right[]): RightNode[] {
  const nodes = new Map(rights.map((right) => [right.name, { right, children: [] } as RightNode]));
  const roots: RightNode[] = [];
  for (const node of nodes.values()) {
    const masters = rights.filter(({ name }) => includes(name, node.right.name));
    const closest = masters.toSorted((a, b) => b.name.length - a.name.length)[0];
    const siblings = closest ? nodes.get(closest.name)?.children : roots;
    siblings?.push(node);
  }
  return roots;
}

/** The names of all rights that these grant, in the order of the list. */
export function effectiveRights(
  rights: readonly Right[],
  granted: ReadonlySet<string>,
): readonly string[] {
  return rights.map(({ name }) => name).filter((name) => isCovered(name, granted));
}

/** Whether a right is granted, itself or by a master. */
export function isCovered(name: string, granted: ReadonlySet<string>): boolean {
  return granted.has(name) || [...granted].some((master) => includes(master, name));
}

export function grantOf(node: RightNode, granted: ReadonlySet<string>): Grant {
  const { name } = node.right;
  if (granted.has(name)) return "own";
  if (isCovered(name, granted)) return "covered";
  return [...granted].some((other) => includes(name, other)) ? "some" : "none";
}

/** With a right; those below it need no mention any more. */
export function grant(granted: ReadonlySet<string>, name: string): Set<string> {
  return new Set([...[...granted].filter((other) => !includes(name, other)), name]);
}

/** Without a right and those below it. A master above it is replaced by what else it includes. */
export function revoke(
  roots: readonly RightNode[],
  granted: ReadonlySet<string>,
  name: string,
): Set<string> {
  const names = roots.flatMap((node) => {
    const own = node.right.name;
    if (own === name) return [];
    if (!granted.has(own)) return [...revoke(node.children, granted, name)];
    if (!includes(own, name)) return [own];
    // What the master included stays, except on the way to the right that goes.
    const children = new Set(node.children.map((child) => child.right.name));
    return [...revoke(node.children, children, name)];
  });
  return new Set(names);
}

/** What has the text in its name or description, with the masters above it. */
export function filterRights(nodes: readonly RightNode[], text: string): RightNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...nodes];
  return nodes.flatMap((node) => {
    const { name, description } = node.right;
    if (`${name} ${description}`.toLowerCase().includes(wanted)) return [node];
    const children = filterRights(node.children, text);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}
