/** Objects and their references as a drawing: who refers stands left, what is referred to right. */

export interface Node {
  id: number;
  label: string;
  type: number;
  /** How many references away from the first object; negative on the left. */
  column: number;
  isExpanded: boolean;
}

export interface Edge {
  from: number;
  to: number;
  /** The field that refers. */
  label: string;
}

export interface Graph {
  nodes: readonly Node[];
  edges: readonly Edge[];
  /** Neighbours that were left out. */
  hidden: number;
}

/** More nodes than this are no picture any more. */
const MOST_NODES = 120;
/** Of one object, on either side. */
const MOST_NEIGHBOURS = 20;

export interface Neighbour {
  id: number;
  label: string;
  type: number;
  /** The field that refers. */
  field: string;
}

export function graphOf(first: Pick<Node, "id" | "label" | "type">): Graph {
  return { nodes: [{ ...first, column: 0, isExpanded: false }], edges: [], hidden: 0 };
}

/** Adds the neighbours of an object: those that refer to it, and those that it refers to. */
export function expand(
  graph: Graph,
  id: number,
  incoming: readonly Neighbour[],
  outgoing: readonly Neighbour[],
): Graph {
  const centre = graph.nodes.find((node) => node.id === id);
  if (!centre || centre.isExpanded) return graph;
  const nodes = graph.nodes.map((node) => (node.id === id ? { ...node, isExpanded: true } : node));
  const edges = [...graph.edges];
  let { hidden } = graph;
  const add = (neighbours: readonly Neighbour[], column: number, isIncoming: boolean) => {
    neighbours.forEach(({ field, ...neighbour }, index) => {
      const isThere = nodes.some((node) => node.id === neighbour.id);
      if (!isThere && (index >= MOST_NEIGHBOURS || nodes.length >= MOST_NODES)) {
        hidden += 1;
        return;
      }
      if (!isThere) nodes.push({ ...neighbour, column, isExpanded: false });
      const edge = isIncoming
        ? { from: neighbour.id, to: id, label: field }
        : { from: id, to: neighbour.id, label: field };
      if (
        !edges.some(
          ({ from, to, label }) => from === edge.from && to === edge.to && label === edge.label,
        )
      ) {
        edges.push(edge);
      }
    });
  };
  add(incoming, centre.column - 1, true);
  add(outgoing, centre.column + 1, false);
  return { nodes, edges, hidden };
}

export interface Place {
  x: number;
  y: number;
}

export const NODE = { width: 248, height: 40 };
const GAP = { x: 80, y: 16 };

/** Where each node stands, and how large the drawing is. */
export function layout(graph: Graph): {
  places: Map<number, Place>;
  width: number;
  height: number;
} {
  const order = [...new Set(graph.nodes.map(({ column }) => column))].toSorted(
    (left, right) => left - right,
  );
  const columns = order.map((column) => graph.nodes.filter((node) => node.column === column));
  const tallest = Math.max(...columns.map((nodes) => nodes.length));
  const height = tallest * (NODE.height + GAP.y) - GAP.y;
  const places = new Map<number, Place>();
  columns.forEach((nodes, at) => {
    const own = nodes.length * (NODE.height + GAP.y) - GAP.y;
    nodes.forEach(({ id }, index) => {
      places.set(id, {
        x: at * (NODE.width + GAP.x),
        y: (height - own) / 2 + index * (NODE.height + GAP.y),
      });
    });
  });
  return { places, width: order.length * (NODE.width + GAP.x) - GAP.x, height };
}
