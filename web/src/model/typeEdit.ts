/** The steps of designing a type. Each one answers a new draft. */
import type { FieldDefinition } from "~/api/records";
import { nameFrom } from "./apiName";
import {
  type DraftField,
  type DraftSection,
  fieldOf,
  looseFields,
  type Section,
  type TypeDraft,
} from "./typeDraft";

/** Where a field is: the key of its section, or `LOOSE`, and its position there. */
export interface Place {
  section: string;
  index: number;
}

/** The place of fields that are in no section. */
export const LOOSE = "";

export function placeOf(draft: TypeDraft, key: string): Place {
  for (const { key: section, fields } of draft.sections) {
    const index = fields.indexOf(key);
    if (index >= 0) return { section, index };
  }
  return { section: LOOSE, index: looseFields(draft).findIndex((field) => field.key === key) };
}

/** Puts a field at a place. The index counts without the field itself. */
export function moveField(draft: TypeDraft, key: string, place: Place): TypeDraft {
  const sections = draft.sections.map((section) => {
    const others = section.fields.filter((other) => other !== key);
    const isGoal = section.key === place.section;
    return { ...section, fields: isGoal ? others.toSpliced(place.index, 0, key) : others };
  });
  return { ...draft, sections };
}

/** One place up or down; at the end of its section, into the next section that takes fields. */
export function shiftField(draft: TypeDraft, key: string, by: 1 | -1): TypeDraft {
  const { section, index } = placeOf(draft, key);
  const position = draft.sections.findIndex((candidate) => candidate.key === section);
  const length = draft.sections[position]?.fields.length ?? 0;
  const isInside = section !== LOOSE && index + by >= 0 && index + by < length;
  if (isInside) return moveField(draft, key, { section, index: index + by });
  // Loose fields are shown below the last section.
  const from = section === LOOSE ? draft.sections.length : position;
  const goals = by > 0 ? draft.sections.slice(from + 1) : draft.sections.slice(0, from).reverse();
  const goal = goals.find(takesFields);
  if (!goal) return draft;
  return moveField(draft, key, { section: goal.key, index: by > 0 ? 0 : goal.fields.length });
}

/** A section that shows another object has its own field and no others. */
export function takesFields({ section }: DraftSection): boolean {
  return !section.reference;
}

/** A new field; its key is that of the last one in `fields`. */
export function addField(draft: TypeDraft, definition: FieldDefinition, place: Place): TypeDraft {
  const name = uniqueName(definition.name, names(draft));
  const field = { key: `n-${draft.next}`, stored: undefined, definition: { ...definition, name } };
  const added = { ...draft, fields: [...draft.fields, field], next: draft.next + 1 };
  return moveField(added, field.key, place);
}

export function changeField(
  draft: TypeDraft,
  key: string,
  part: Partial<FieldDefinition>,
): TypeDraft {
  const fields = draft.fields.map((field) =>
    field.key === key ? { ...field, definition: without({ ...field.definition, ...part }) } : field,
  );
  return { ...draft, fields };
}

/** What is undefined is not sent, so it is not kept either. */
function without<T extends object>(definition: T): T {
  const entries = Object.entries(definition).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Changes the label; the name of a new field follows as long as nobody chose another one. */
export function relabelField(draft: TypeDraft, key: string, label: string): TypeDraft {
  const field = fieldOf(draft, key);
  if (!field) return draft;
  const others = names(draft, key);
  const { definition, stored } = field;
  const own = (text: string) => uniqueName(nameFrom(text) || "field", others);
  const follows = stored === undefined && definition.name === own(definition.label);
  const name = follows ? own(label) : definition.name;
  return changeField(draft, key, { label, name });
}

/** Takes a field out of the type and of everything that shows it. */
export function removeField(draft: TypeDraft, key: string): TypeDraft {
  const others = (keys: readonly string[]) => keys.filter((other) => other !== key);
  return {
    ...draft,
    fields: draft.fields.filter((field) => field.key !== key),
    sections: draft.sections.map((section) => ({ ...section, fields: others(section.fields) })),
    summary: others(draft.summary),
    // Without the field, fewer objects would be allowed.
    unique: draft.unique.filter(({ fields }) => !fields.includes(key)),
    externals: draft.externals.map((external) => ({
      ...external,
      fields: others(external.fields),
    })),
  };
}

/** The field that the focus goes to when one is removed. */
export function neighbourOf(draft: TypeDraft, key: string): DraftField | undefined {
  const order = [
    ...draft.sections.flatMap(({ fields }) => fields),
    ...looseFields(draft).map((field) => field.key),
  ];
  const index = order.indexOf(key);
  const neighbour = order[index + 1] ?? order[index - 1];
  return neighbour === undefined ? undefined : fieldOf(draft, neighbour);
}

export function addSection(draft: TypeDraft, label: string): TypeDraft {
  const taken = draft.sections.map(({ section }) => section.name);
  const name = uniqueName(nameFrom(label) || "section", taken);
  const section = { type: "section", name, label, fields: [] };
  const added = { key: `n-${draft.next}`, section, fields: [] };
  return { ...draft, sections: [...draft.sections, added], next: draft.next + 1 };
}

export function changeSection(draft: TypeDraft, key: string, part: Partial<Section>): TypeDraft {
  const sections = draft.sections.map((entry) =>
    entry.key === key ? { ...entry, section: { ...entry.section, ...part } } : entry,
  );
  return { ...draft, sections };
}

/** Its fields stay in the type, in no section. */
export function removeSection(draft: TypeDraft, key: string): TypeDraft {
  return { ...draft, sections: draft.sections.filter((section) => section.key !== key) };
}

export function shiftSection(draft: TypeDraft, key: string, by: 1 | -1): TypeDraft {
  return { ...draft, sections: shifted(draft.sections, (section) => section.key === key, by) };
}

/** A list in which one item went one place up or down. */
export function shifted<T>(items: readonly T[], isItem: (item: T) => boolean, by: 1 | -1): T[] {
  const index = items.findIndex(isItem);
  const item = items[index];
  const goal = index + by;
  if (item === undefined || goal < 0 || goal >= items.length) return [...items];
  return items.toSpliced(index, 1).toSpliced(goal, 0, item);
}

function names(draft: TypeDraft, except?: string): string[] {
  return draft.fields.filter(({ key }) => key !== except).map(({ definition }) => definition.name);
}

/** Lets people choose from these values, if the field still has this kind and no options. */
export function fillOptions(
  draft: TypeDraft,
  key: string,
  kind: string,
  values: readonly string[],
): TypeDraft {
  const definition = fieldOf(draft, key)?.definition;
  if (definition?.type !== kind || definition.options?.length) return draft;
  // Objects hold the names, so that a name is the value itself.
  const options = values.map((value) => ({ name: value, label: value }));
  return changeField(draft, key, { options });
}

function uniqueName(name: string, taken: readonly string[]): string {
  let unique = name;
  for (let count = 2; taken.includes(unique); count += 1) unique = `${name}-${count}`;
  return unique;
}

/** Changes the label of the type; the name of a new type follows as long as it is its own. */
export function relabelType(draft: TypeDraft, label: string): TypeDraft {
  const { type } = draft;
  const follows = type.public_id === 0 && type.name === nameFrom(type.label);
  return { ...draft, type: { ...type, label, name: follows ? nameFrom(label) : type.name } };
}
