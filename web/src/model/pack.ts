/** Several types that fit together, such as a starter pack. They refer to each other by name. */
import type { Category, ObjectType } from "~/api/records";
import { typeBody } from "./typeDraft";
import { isObject, type Read, readType } from "./typeJson";

export interface Pack {
  categories: PackCategory[];
  /** Types; a reference holds an id, or the name of a type. */
  types: ObjectType[];
  /** Labels in other languages, by the language and the label. */
  translations: Record<string, Record<string, string>>;
}

export interface PackCategory {
  name: string;
  label: string;
  icon: string;
  /** Names of types. */
  types: string[];
}

/** A pack, a list of types, or one type. */
export function readPack(value: unknown): Read<Pack> {
  const isPack = isObject(value) && Array.isArray(value["types"]) && !("name" in value);
  const items: unknown[] = isPack ? (value["types"] as unknown[]) : [value].flat();
  const types: ObjectType[] = [];
  for (const item of items) {
    const read = readType(item);
    if (read.is !== "read") return read;
    types.push(read.value);
  }
  if (types.length === 0) return { is: "no-type" };
  const { categories = [], translations = {} } = isPack ? (value as Partial<Pack>) : {};
  return { is: "read", value: { categories, types, translations } };
}

/** A write of a batch. An id that the batch gives is `{"$result": n}`. */
export interface PackOperation {
  method: "POST" | "PATCH";
  path: string;
  body: object;
}

export interface PackPlan {
  operations: PackOperation[];
  /** Labels of the types that are made. */
  added: string[];
  /** Names of types that exist; they stay, and references point to them. */
  skipped: string[];
}

interface Inventory {
  types: readonly Pick<ObjectType, "public_id" | "name">[];
  categories: readonly Pick<Category, "public_id" | "name" | "types">[];
}

/** What makes a pack part of an inventory. */
export function planOf(pack: Pack, inventory: Inventory, author: number, language: string) {
  const labels = pack.translations[language] ?? {};
  const existing = new Map(inventory.types.map(({ name, public_id }) => [name, public_id]));
  const fresh = pack.types.filter(({ name }) => !existing.has(name));
  const results = new Map(fresh.map(({ name }, index) => [name, index]));
  const idOf = (target: unknown, before: number) => idFor(target, existing, results, before);
  const types = fresh.map((type) => translated(typeBody({ ...type, author_id: author }), labels));
  const inserts = types.map((body, index) => ({
    method: "POST" as const,
    path: "/types/",
    body: resolved(body, (target) => idOf(target, index)),
  }));
  // A type that refers to itself or to a later one gets these references when all have ids.
  const completions = types.flatMap((body, index) => {
    const complete = resolved(body, (target) => idOf(target, fresh.length));
    const isComplete = JSON.stringify(complete) === JSON.stringify(inserts[index]?.body);
    const path = `/types/{$result:${index}}`;
    return isComplete
      ? []
      : [{ method: "PATCH" as const, path, body: { fields: complete.fields } }];
  });
  const plan: PackPlan = {
    operations: [
      ...inserts,
      ...completions,
      ...pack.categories.flatMap((category) => {
        const isOfPack = (name: string) => fresh.some((type) => type.name === name);
        const ids = category.types.filter(isOfPack).map((name) => idOf(name, fresh.length));
        return categoryOperation(translated(category, labels), ids, inventory);
      }),
    ],
    added: types.map(({ label }) => label),
    skipped: pack.types.filter(({ name }) => existing.has(name)).map(({ name }) => name),
  };
  return plan;
}

/** The id of a target: of the inventory, or of an operation before this one. */
function idFor(
  target: unknown,
  existing: ReadonlyMap<string, number>,
  results: ReadonlyMap<string, number>,
  before: number,
): unknown {
  if (typeof target !== "string") return target;
  const result = results.get(target);
  if (result === undefined) return existing.get(target);
  return result < before ? { $result: result } : undefined;
}

function categoryOperation(
  category: PackCategory,
  types: unknown[],
  inventory: Inventory,
): PackOperation[] {
  if (types.length === 0) return [];
  const { name, label, icon } = category;
  const existing = inventory.categories.find((other) => other.name === name);
  if (existing) {
    const path = `/categories/${existing.public_id}`;
    return [{ method: "PATCH", path, body: { types: [...existing.types, ...types] } }];
  }
  return [{ method: "POST", path: "/categories/", body: { name, label, meta: { icon }, types } }];
}

type Body = ReturnType<typeof typeBody>;

/** Names of types become ids; what has none yet is left out. */
function resolved(body: Body, idOf: (target: unknown) => unknown) {
  const isKnown = (value: unknown) => value !== undefined;
  const fields = body.fields.map((field) => ({
    ...field,
    ...(field.ref_types ? { ref_types: field.ref_types.map(idOf).filter(isKnown) } : {}),
    ...(field.summaries
      ? {
          summaries: field.summaries
            .map((summary) => ({ ...summary, type_id: idOf(summary.type_id) }))
            .filter(({ type_id }) => isKnown(type_id)),
        }
      : {}),
  }));
  return { ...body, fields };
}

const TRANSLATED = new Set(["label", "description", "helperText"]);

/** The same, with its labels in another language. */
function translated<T>(value: T, labels: Record<string, string>): T {
  if (Array.isArray(value)) return value.map((item) => translated(item, labels)) as T;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    TRANSLATED.has(key) && typeof item === "string"
      ? (labels[item] ?? item)
      : translated(item, labels),
  ]);
  return Object.fromEntries(entries) as T;
}
