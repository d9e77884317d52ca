/** Objects by keys that people paste: the first value of their summary, or an id. */
import type { InventoryObject, ObjectType } from "~/api/records";
import { fromClipboard } from "./clipboard";
import { at, type Json } from "./filter/operand";
import { fieldValue } from "./object";
import { textOf } from "./textOf";

/** Keys that are looked up at once. */
export const MOST_KEYS = 500;

/** The cells of a pasted text, each once. */
export function keysOf(text: string): string[] {
  const cells = fromClipboard(text).flat();
  return [...new Set(cells.map((cell) => cell.trim()).filter((cell) => cell !== ""))];
}

/** A filter that finds all objects with these keys, and maybe others. */
export function keysFilter(types: readonly ObjectType[], keys: readonly string[]): Json {
  const names = new Set(types.flatMap((type) => keyField(type) ?? []));
  const ids = keys.flatMap((key) => idOf(key) ?? []);
  const values = [...keys, ...keys.flatMap((key) => (isNumber(key) ? [Number(key)] : []))];
  const fields = [...names].map((name) => at(`fields.${name}`, { $in: values }));
  return {
    type_id: { $in: types.map(({ public_id }) => public_id) },
    $or: [{ public_id: { $in: ids } }, ...fields],
  };
}

export interface FoundKeys {
  ids: string[];
  missing: string[];
}

/** Which objects the keys mean: values come before ids. */
export function matchKeys(
  keys: readonly string[],
  objects: readonly InventoryObject[],
  types: readonly ObjectType[],
): FoundKeys {
  const byValue = new Map<string, string[]>();
  const ids = new Set(objects.map(({ public_id }) => public_id));
  for (const object of objects) {
    const name = keyField(types.find(({ public_id }) => public_id === object.type_id));
    const value = textOf(name === undefined ? "" : fieldValue(object, name));
    byValue.set(value, [...(byValue.get(value) ?? []), String(object.public_id)]);
  }
  const found = (key: string): string[] => {
    const id = idOf(key);
    return byValue.get(key) ?? (id !== undefined && ids.has(id) ? [String(id)] : []);
  };
  return {
    ids: [...new Set(keys.flatMap(found))],
    missing: keys.filter((key) => found(key).length === 0),
  };
}

function keyField(type: ObjectType | undefined): string | undefined {
  return type?.render_meta.summary.fields?.[0];
}

/** The id in a text such as 12 or #12. */
function idOf(key: string): number | undefined {
  return /^#?\d{1,15}$/.test(key) ? Number(key.replace("#", "")) : undefined;
}

function isNumber(key: string): boolean {
  return /^-?\d{1,15}(\.\d+)?$/.test(key);
}
