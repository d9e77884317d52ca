/** Types as JSON texts: of files, of the clipboard, of starter packs. */
import type { FieldDefinition, ObjectType } from "~/api/records";
import { parseJson } from "./json";
import { draftOf, emptyType, type TypeDraft } from "./typeDraft";

export type Read<T> =
  | { is: "read"; value: T }
  | { is: "no-json"; detail: string }
  | { is: "no-type" };

type Json = Record<string, unknown>;

export function readJson(text: string): Read<unknown> {
  try {
    return { is: "read", value: parseJson(text) };
  } catch (error) {
    return { is: "no-json", detail: error instanceof Error ? error.message : "" };
  }
}

/** A type with all that the designer expects; what the text leaves out has its default. */
export function readType(value: unknown): Read<ObjectType> {
  if (!isObject(value) || typeof value["name"] !== "string") return { is: "no-type" };
  const { fields = [], render_meta: meta = {}, acl = {}, label = value["name"] } = value;
  if (!Array.isArray(fields) || !fields.every(isField)) return { is: "no-type" };
  if (!areSets(value["unique"] ?? [])) return { is: "no-type" };
  if (!isObject(meta) || !isObject(acl) || typeof label !== "string") return { is: "no-type" };
  const { sections = [], externals = [], summary = {} } = meta;
  const areLists = Array.isArray(sections) && Array.isArray(externals) && isObject(summary);
  if (!areLists || ![...sections, ...externals].every(isObject)) return { is: "no-type" };
  const empty = emptyType(0, "");
  const withFields = (item: Json) => ({ ...item, fields: namesOf(item["fields"]) });
  const type = {
    ...empty,
    ...value,
    label,
    fields: fields.map((field) => ({ ...field, label: field.label ?? field.name })),
    render_meta: {
      ...empty.render_meta,
      ...meta,
      sections: sections.map(withFields),
      externals: externals.map(withFields),
      summary: withFields(summary),
    },
    acl: { activated: false, groups: { includes: {} }, ...acl },
  };
  return { is: "read", value: type as ObjectType };
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function areSets(value: unknown): boolean {
  const isName = (name: unknown) => typeof name === "string";
  return Array.isArray(value) && value.every((set) => Array.isArray(set) && set.every(isName));
}

function isField(value: unknown): value is FieldDefinition {
  return isObject(value) && typeof value["type"] === "string" && typeof value["name"] === "string";
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The draft with the content of a type that was read. `base` says what is stored. */
export function withContent(base: TypeDraft, draft: TypeDraft, read: ObjectType): TypeDraft {
  const storedKeys = new Map(
    base.fields.flatMap(({ key, stored }) => (stored === undefined ? [] : [[stored, key]])),
  );
  const sent = read.fields ?? [];
  const storedOf = ({ name, renamed_from }: FieldDefinition) =>
    [renamed_from ?? name, name].find((stored) => storedKeys.has(stored));
  const keys = new Map(
    sent.flatMap((field) => {
      const key = storedKeys.get(storedOf(field) ?? "");
      return key === undefined ? [] : [[field.name, key]];
    }),
  );
  const { public_id, author_id, editor_id, creation_time, last_edit_time } = draft.type;
  const fields = sent.map(({ renamed_from: _, ...definition }) => definition);
  const facts = { public_id, author_id, editor_id, creation_time, last_edit_time };
  const next = draftOf({ ...read, ...facts, fields }, keys, draft.next);
  return {
    ...next,
    fields: next.fields.map((field, index) => {
      const field_ = sent[index];
      return { ...field, stored: field_ && storedOf(field_) };
    }),
  };
}
