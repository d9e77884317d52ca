import { expect, test } from "vitest";
import { expand, graphOf, layout, type Neighbour } from "./graph";

const neighbour = (id: number, field = "rack"): Neighbour => ({
  id,
  label: `n${id}`,
  type: 1,
  field,
});
const first = graphOf({ id: 1, label: "n1", type: 1 });

test("who refers stands left, what is referred to right", () => {
  const graph = expand(first, 1, [neighbour(2)], [neighbour(3, "room")]);
  expect(graph.nodes.map(({ id, column }) => [id, column])).toEqual([
    [1, 0],
    [2, -1],
    [3, 1],
  ]);
  expect(graph.edges).toEqual([
    { from: 2, to: 1, label: "rack" },
    { from: 1, to: 3, label: "room" },
  ]);
  const { places } = layout(graph);
  expect(places.get(2)?.x).toBeLessThan(places.get(1)?.x ?? 0);
});

test("circles and repeated expansion add nothing twice", () => {
  const once = expand(first, 1, [], [neighbour(2)]);
  const twice = expand(
    expand(once, 2, [neighbour(1)], [neighbour(1, "back")]),
    1,
    [neighbour(9)],
    [],
  );
  expect(twice.nodes).toHaveLength(2);
  expect(twice.edges).toHaveLength(2);
});

test("many neighbours are counted, not drawn", () => {
  const many = Array.from({ length: 50 }, (_, index) => neighbour(index + 2));
  const graph = expand(first, 1, many, []);
  expect(graph.nodes).toHaveLength(21);
  expect(graph.hidden).toBe(30);
});
