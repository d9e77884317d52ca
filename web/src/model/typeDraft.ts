/** A type while somebody designs it. Fields have keys, so that a new name leaves their places. */
import type { FieldDefinition, ObjectType } from "~/api/records";

type RenderMeta = ObjectType["render_meta"];
export type Section = RenderMeta["sections"][number];
export type External = RenderMeta["externals"][number];

export interface DraftField {
  key: string;
  /** The name that the server knows; nothing for a new field. */
  stored: string | undefined;
  definition: FieldDefinition;
}

export interface DraftSection {
  key: string;
  section: Section;
  /** Keys of fields, in their order. */
  fields: readonly string[];
}

export interface DraftExternal {
  key: string;
  external: External;
  fields: readonly string[];
}

export interface UniqueSet {
  key: string;
  /** Keys of fields. */
  fields: readonly string[];
}

export interface TypeDraft {
  /** What the designer does not take apart, with keys that it does not know. */
  type: ObjectType;
  fields: readonly DraftField[];
  sections: readonly DraftSection[];
  /** Keys of the fields that name an object. */
  summary: readonly string[];
  externals: readonly DraftExternal[];
  /** Fields whose values together no two objects share. */
  unique: readonly UniqueSet[];
  /** The number of the next key. */
  next: number;
}

/** The key of a name that is no field: it is written back as it was. */
const UNKNOWN = "?";

export function keyOfName(name: string): string {
  return `${UNKNOWN}${name}`;
}

/** The draft of a stored type. Fields may have keys already, by their names. */
export function draftOf(
  type: ObjectType,
  keys: ReadonlyMap<string, string> = new Map(),
  next = 0,
): TypeDraft {
  const definitions = type.fields ?? [];
  // A key of before may belong to a field that has another name now, so new keys have a number.
  const known = new Map(
    definitions.map(({ name }) => [name, keys.get(name) ?? `f${next}-${name}`]),
  );
  const keyOf = (name: string) => known.get(name) ?? keyOfName(name);
  const keysOf = (names: readonly string[] | null | undefined) => (names ?? []).map(keyOf);
  const { sections, externals, summary } = type.render_meta;
  return {
    type,
    fields: definitions.map((definition) => ({
      key: keyOf(definition.name),
      stored: definition.name,
      definition,
    })),
    sections: sections.map((section, index) => ({
      key: `s-${index}`,
      section,
      fields: keysOf(section.fields),
    })),
    summary: keysOf(summary.fields),
    externals: externals.map((external, index) => ({
      key: `e-${index}`,
      external,
      fields: keysOf(external.fields),
    })),
    unique: (type.unique ?? []).map((names, index) => ({
      key: `u-${index}`,
      fields: keysOf(names),
    })),
    next: next + 1,
  };
}

/** The draft again once it is stored: everything keeps its key. */
export function storedDraft(stored: ObjectType, draft: TypeDraft): TypeDraft {
  const keys = new Map(draft.fields.map(({ key, definition }) => [definition.name, key]));
  return draftOf(stored, keys, draft.next);
}

/** The draft of a type that is not stored, with the same content. */
export function unstored(draft: TypeDraft): TypeDraft {
  return { ...draft, fields: draft.fields.map((field) => ({ ...field, stored: undefined })) };
}

/** A type without fields, with one section to put them in. */
export function emptyType(author: number, sectionLabel: string): ObjectType {
  const section = { type: "section", name: "general", label: sectionLabel, fields: [] };
  return {
    public_id: 0,
    name: "",
    label: "",
    author_id: author,
    editor_id: null,
    active: true,
    version: "1.0.0",
    description: null,
    creation_time: "",
    last_edit_time: null,
    fields: [],
    render_meta: { icon: null, sections: [section], externals: [], summary: { fields: [] } },
    acl: { activated: false, groups: { includes: {} } },
  };
}

/** What the API takes of a type; the server sets the rest. */
export type TypeBody = Omit<
  ObjectType,
  "public_id" | "editor_id" | "creation_time" | "last_edit_time" | "fields"
> & { fields: FieldDefinition[] };

export function typeBody(type: ObjectType): TypeBody {
  const {
    public_id: _id,
    editor_id: _editor,
    creation_time: _,
    last_edit_time: __,
    ...body
  } = type;
  return { ...body, fields: type.fields ?? [] };
}

/** The type as the draft has it; fields with a new name say which one they had. */
export function bodyOf(draft: TypeDraft): TypeBody {
  const { render_meta: meta } = draft.type;
  const nameOf = (key: string) =>
    key.startsWith(UNKNOWN) ? key.slice(UNKNOWN.length) : fieldOf(draft, key)?.definition.name;
  const namesOf = (keys: readonly string[]) => keys.flatMap((key) => nameOf(key) ?? []);
  const sets = draft.unique.map(({ fields }) => namesOf(fields));
  const unique = sets.filter((names) => names.length > 0);
  return {
    ...typeBody(draft.type),
    // Without it, those that are stored would stay.
    unique,
    fields: draft.fields.map(sentField),
    render_meta: {
      ...meta,
      sections: draft.sections.map(({ section, fields }) => ({
        ...section,
        fields: namesOf(fields),
      })),
      externals: draft.externals.map(({ external, fields }) => ({
        ...external,
        href: renamedPlaceholders(external.href, draft),
        fields: namesOf(fields),
      })),
      summary: { ...meta.summary, fields: namesOf(draft.summary) },
    },
  };
}

function sentField({ stored, definition }: DraftField): FieldDefinition {
  const isRenamed = stored !== undefined && stored !== definition.name;
  return isRenamed ? { ...definition, renamed_from: stored } : definition;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

function renamedPlaceholders(href: string, draft: TypeDraft): string {
  return href.replace(PLACEHOLDER, (whole, name: string) => {
    const field = draft.fields.find(({ stored }) => stored === name);
    return field ? `{${field.definition.name}}` : whole;
  });
}

export function fieldOf(draft: TypeDraft, key: string): DraftField | undefined {
  return draft.fields.find((field) => field.key === key);
}

/** Fields that no section shows. */
export function looseFields(draft: TypeDraft): DraftField[] {
  const placed = new Set(draft.sections.flatMap(({ fields }) => fields));
  return draft.fields.filter(({ key }) => !placed.has(key));
}

export function sectionFields(draft: TypeDraft, section: DraftSection): DraftField[] {
  return section.fields.flatMap((key) => fieldOf(draft, key) ?? []);
}

/** Whether both would be stored as the same type. */
export function isSameDraft(left: TypeDraft, right: TypeDraft): boolean {
  return left === right || JSON.stringify(bodyOf(left)) === JSON.stringify(bodyOf(right));
}
