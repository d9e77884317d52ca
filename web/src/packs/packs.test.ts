import { describe, expect, test } from "vitest";
import { type Pack, planOf } from "~/model/pack";
import { PACKS, packNamed } from "./catalogue";

const EMPTY = { types: [], categories: [] };
const NAME = /^[a-z0-9][a-z0-9-]+$/;

/** All texts for people below these keys. */
function labelsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(labelsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    ["label", "description", "helperText"].includes(key) && typeof item === "string"
      ? [item]
      : labelsOf(item),
  );
}

const unique = (names: readonly string[]) => expect(new Set(names).size).toBe(names.length);

describe.each(PACKS)("the pack $name", ({ name }) => {
  test("has types with unique names", async () => {
    const { types, categories } = await packNamed(name);
    expect(types.length).toBeGreaterThanOrEqual(4);
    unique(types.map((type) => type.name));
    unique(categories.map((category) => category.name));
    for (const type of types) {
      expect(type.name).toMatch(NAME);
      expect(type.render_meta.icon).toMatch(/^fas fa-[a-z-]+$/);
      unique((type.fields ?? []).map((field) => field.name));
      unique((type.fields ?? []).map((field) => field.label));
      for (const { options } of type.fields ?? []) unique((options ?? []).map((o) => o.name));
    }
  });

  test("names in sections, summaries and links are fields, each in one section", async () => {
    const { types } = await packNamed(name);
    for (const type of types) {
      const fields = (type.fields ?? []).map((field) => field.name);
      const { sections, summary, externals } = type.render_meta;
      expect(sections.flatMap((section) => section.fields).toSorted()).toEqual(fields.toSorted());
      expect(summary.fields?.length).toBeGreaterThan(0);
      for (const used of [...(summary.fields ?? []), ...externals.flatMap((e) => e.fields)]) {
        expect(fields).toContain(used);
      }
    }
  });

  test("references lead to types of the pack, and lines have fields", async () => {
    const { types, categories } = await packNamed(name);
    const byName = new Map(types.map((type) => [type.name, type]));
    for (const { fields } of types) {
      for (const { ref_types, summaries } of fields ?? []) {
        for (const target of ref_types ?? []) expect([...byName.keys()]).toContain(target);
        for (const { type_id, fields, line } of summaries ?? []) {
          const target = byName.get(String(type_id));
          const names = target?.fields?.map((field) => field.name);
          for (const field of fields ?? []) expect(names).toContain(field);
          expect(line.split("{}").length - 1).toBe(fields?.length);
        }
      }
    }
    const placed = categories.flatMap((category) => category.types);
    expect(placed.toSorted()).toEqual([...byName.keys()].toSorted());
  });

  test("patterns compile, match their examples, and values at first are options", async () => {
    const { types } = await packNamed(name);
    for (const { regex, placeholder, value, options } of types.flatMap((t) => t.fields ?? [])) {
      const pattern = new RegExp(`^(?:${regex ?? ".*"})$`, "u");
      if (placeholder) expect(placeholder).toMatch(pattern);
      if (value && options) expect(options.map((option) => option.name)).toContain(value);
    }
  });

  test("is German, too", async () => {
    const { types, categories, translations } = await packNamed(name);
    const known = Object.keys(translations["de"] ?? {});
    for (const label of labelsOf([types, categories])) expect(known).toContain(label);
  });
});

test("packs agree about the types that they share", async () => {
  const seen = new Map<string, unknown>();
  for (const { name } of PACKS) {
    for (const type of (await packNamed(name)).types) {
      expect(type).toEqual(seen.get(type.name) ?? type);
      seen.set(type.name, type);
    }
  }
});

test("a plan refers to what it makes, and completes types that refer to themselves", async () => {
  const { operations, added } = planOf(await packNamed("office-it"), EMPTY, 1, "de");
  expect(added).toContain("Standort");
  const posts = operations.filter(({ path }) => path === "/types/");
  const names = posts.map(({ body }) => (body as { name: string }).name);
  const room = JSON.stringify(posts[names.indexOf("room")]?.body);
  expect(room).toContain(`"ref_types":[{"$result":${names.indexOf("site")}}]`);
  const department = names.indexOf("department");
  const patch = operations.find(({ path }) => path === `/types/{$result:${department}}`);
  expect(JSON.stringify(patch?.body)).toContain(`"ref_types":[{"$result":${department}}]`);
  expect(operations.at(-1)).toMatchObject({ method: "POST", path: "/categories/" });
});

test("types that exist stay, and references lead to them", async () => {
  const pack: Pack = await packNamed("data-centre");
  const inventory = {
    types: [{ public_id: 7, name: "site" }],
    categories: [{ public_id: 3, name: "places", types: [7] }],
  };
  const { operations, skipped } = planOf(pack, inventory, 1, "en");
  expect(skipped).toEqual(["site"]);
  expect(JSON.stringify(operations[0]?.body)).toContain('"ref_types":[7]');
  expect(operations).toContainEqual({
    method: "PATCH",
    path: "/categories/3",
    body: { types: [7, { $result: 0 }, { $result: 1 }] },
  });
  const again = planOf(pack, { ...inventory, types: idsOf(pack) }, 1, "en");
  expect(again.operations).toEqual([]);
});

function idsOf({ types }: Pack) {
  return types.map(({ name }, index) => ({ name, public_id: index + 1 }));
}
