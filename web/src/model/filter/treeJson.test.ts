import { describe, expect, test } from "vitest";
import type { Json } from "./operand";
import { isOperator, OPERATORS } from "./operators";
import {
  added,
  duplicated,
  faultOf,
  type Group,
  MATCHES,
  MOST_DEPTH,
  NO_FILTER,
  numbered,
  type Part,
  partsBelow,
  pruned,
  replaced,
} from "./tree";
import { treeJson, treeOf, treeOfView, viewOfTree } from "./treeJson";

/** The same numbers in every run (mulberry32). */
function dice(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const PATHS = ["fields.a", "fields.name", "fields.value", "fields.b-c", "public_id", "type_id"];
const VALUES = [
  "x",
  "12",
  "012",
  "-1.5",
  "true",
  "null",
  "2025-01-31",
  "2025-02-31",
  "a.b(c)\\d",
  'say "it"',
  " é ",
];
const RAW = ['{"fields.cores":{"$mod":[8,0]}}', '{"fields.a":8}', '{"a":{"$gte":1,"$lt":2}}'];

function pick<T>(roll: (most: number) => number, list: readonly T[]): T {
  return list[roll(list.length)] as T;
}

function randomPart(roll: (most: number) => number, depth: number): Part {
  const kind = roll(10);
  if (kind < 3 && depth < MOST_DEPTH) return randomGroup(roll, depth + 1);
  if (kind === 9) return { id: 0, what: "raw", json: pick(roll, RAW) };
  const operator = pick(roll, Object.keys(OPERATORS).filter(isOperator));
  const several = [...new Set([pick(roll, VALUES), pick(roll, VALUES)].map((one) => one.trim()))];
  const values = { none: "", one: pick(roll, VALUES), several: several.join("\n") };
  const path = pick(roll, PATHS);
  const condition = { path, operator, value: values[OPERATORS[operator].arity] };
  return { id: 0, what: "condition", condition };
}

function randomGroup(roll: (most: number) => number, depth: number): Group {
  const parts = Array.from({ length: 1 + roll(4) }, () => randomPart(roll, depth));
  return { id: 0, what: "group", match: pick(roll, MATCHES), parts };
}

describe("a filter that was built", () => {
  const seeds = Array.from({ length: 500 }, (_, seed) => seed);
  const trees = seeds.map((seed) => numbered(randomGroup(dice(seed), 1), 1));
  test("is the same after it was JSON", () => {
    for (const tree of trees) {
      const text = JSON.stringify(treeJson(tree));
      expect(treeOf(JSON.parse(text)), text).toEqual(tree);
    }
  });

  test("is the same after it was a view, but conditions come first", () => {
    const sorted = (group: Group): Group => {
      const first =
        group.match === "all" ? group.parts.filter((it) => it.what === "condition") : [];
      const rest = group.parts.filter((part) => group.match !== "all" || part.what !== "condition");
      return numbered({ ...group, parts: [...first, ...rest] }, 1);
    };
    for (const tree of trees.map(sorted)) {
      const view = viewOfTree(tree);
      expect(treeOfView(view), JSON.stringify(view)).toEqual(tree);
    }
  });
});

describe("a filter that somebody wrote", () => {
  test.each<[string, Json, object]>([
    ["nothing", {}, { match: "all", parts: [] }],
    [
      "one condition",
      { "fields.cores": { $gte: 8 } },
      { match: "all", parts: [{ condition: { operator: "at-least", value: "8" } }] },
    ],
    [
      "several members of one object",
      { "fields.a": "x", $or: [{ "fields.b": "y" }] },
      { match: "all", parts: [{ what: "condition" }, { what: "group", match: "any" }] },
    ],
    [
      "what cannot be built",
      { $nor: [{ "fields.a": { $size: 2 } }] },
      { match: "none", parts: [{ what: "raw", json: '{"fields.a":{"$size":2}}' }] },
    ],
    // The builder would also find the text "8".
    ["a number alone", { "fields.a": 8 }, { parts: [{ what: "raw" }] }],
    ["the text of a number alone", { "fields.a": "8" }, { parts: [{ what: "raw" }] }],
    ["an id", { public_id: 8 }, { parts: [{ condition: { operator: "is", value: "8" } }] }],
    ["an empty group", { $and: [] }, { parts: [{ what: "raw" }] }],
  ])("shows %s", (_, filter, expected) => {
    expect(treeOf(filter)).toMatchObject(expected);
  });

  test("keeps what is too deep or too long as JSON", () => {
    let deep: Json = { "fields.a": "x" };
    for (let depth = 0; depth < MOST_DEPTH + 1; depth += 1) deep = { $or: [deep, deep] };
    const tree = treeOf(deep);
    expect(partsBelow(tree).some(({ what }) => what === "raw")).toBe(true);
    expect(treeJson(tree)).toEqual(deep);
    const long: Json = { $or: Array.from({ length: 101 }, () => ({ "fields.a": "x" })) };
    expect(treeOf(long).parts).toEqual([{ id: 2, what: "raw", json: JSON.stringify(long) }]);
  });
});

describe("a day", () => {
  const ofDay = (operator: "is" | "at-least" | "at-most", path: string) =>
    treeJson(
      numbered({ ...NO_FILTER, parts: [condition({ path, operator, value: "2025-01-31" })] }, 1),
    );
  test("is found however it is stored", () => {
    const day = Date.UTC(2025, 0, 31);
    expect(ofDay("is", "fields.a")).toEqual({
      "fields.a": { $in: ["2025-01-31", { $date: day }] },
    });
    expect(ofDay("at-most", "fields.a")).toEqual({
      $or: [
        { "fields.a": { $lte: "2025-01-31" } },
        { "fields.a": { $lt: { $date: day + 86_400_000 } } },
      ],
    });
    expect(ofDay("at-least", "last_edit_time")).toEqual({
      last_edit_time: { $gte: { $date: day } },
    });
  });
});

describe("a tree", () => {
  const base = numbered(
    { ...NO_FILTER, parts: [condition({ path: "fields.a", operator: "is", value: "x" })] },
    1,
  );
  test("grows, repeats and shrinks", () => {
    const grown = added(base, 1, { ...NO_FILTER, match: "any" });
    const [, group] = grown.parts;
    const filled = added(grown, group?.id ?? 0, base);
    const twice = duplicated(filled, group?.id ?? 0);
    const ids = partsBelow(twice).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(twice.parts).toHaveLength(3);
    expect(replaced(twice, group?.id ?? 0, () => []).parts).toHaveLength(2);
    expect(pruned(grown)).toEqual(base);
  });
  test("says why it cannot be applied", () => {
    const open = condition({ path: "fields.a", operator: "contains", value: " " });
    expect(faultOf(base)).toBeUndefined();
    expect(faultOf(added(base, 1, open))).toBe("incomplete");
    const pattern = condition({ path: "fields.a", operator: "contains", value: "x" });
    const many = (count: number) => ({
      ...base,
      parts: Array.from({ length: count }, () => pattern),
    });
    expect(faultOf(many(17))).toBe("too-many-patterns");
    expect(faultOf(many(101))).toBe("too-many");
  });
});

function condition(one: Extract<Part, { what: "condition" }>["condition"]): Part {
  return { id: 0, what: "condition", condition: one };
}
