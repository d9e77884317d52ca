import type { FieldDefinition, KindFacts } from "~/api/types";
import type { Operator } from "~/model/filter/operators";
import { checkbox } from "./checkbox";
import { choice } from "./choice";
import { date } from "./date";
import type { Kind, Setting } from "./kind";
import { number } from "./number";
import { password } from "./password";
import { reference } from "./reference";
import { text } from "./text";
import { textarea } from "./textarea";

/** The kinds of the API by name. No other module compares these. */
const KINDS = {
  text,
  textarea,
  password,
  radio: choice,
  select: choice,
  checkbox,
  number,
  date,
  ref: reference,
  "ref-section-field": reference,
  location: reference,
} satisfies Record<KindFacts["name"], Kind>;

const BY_NAME = new Map<string, Kind>(Object.entries(KINDS));

/** The kinds of new fields, in the order in which people choose them. */
export const KINDS_TO_CHOOSE = [
  "text",
  "textarea",
  "number",
  "date",
  "select",
  "radio",
  "checkbox",
  "ref",
  "location",
  "password",
] as const satisfies readonly KindFacts["name"][];

/** A kind by its name in the API. */
export function kindNamed(name: string): Kind {
  return BY_NAME.get(name) ?? text;
}

/** Settings of any kind; those of another kind go when the kind changes. */
export const SETTINGS: readonly Setting[] = [
  ...new Set(Object.values(KINDS).flatMap(({ settings }) => settings)),
];

/** The kind of a field. One with `ref_types` is a reference, unless it is a secret. */
export function kindOf(field: FieldDefinition): Kind {
  const kind = kindNamed(field.type);
  return field.ref_types?.length && !kind.isSecret ? reference : kind;
}

interface Fact {
  type: string;
  operators: readonly Operator[];
}

/** What every object has, by its path: it is filtered like a field of this kind. */
const FACTS: Record<string, Fact> = {
  public_id: { type: "number", operators: ["is", "one-of", "at-least", "at-most", "is-not"] },
  type_id: { type: "select", operators: ["is", "is-not", "one-of"] },
  last_edit_time: { type: "date", operators: ["at-least", "at-most"] },
};

/** A fact of every object as a field, for the conditions of filters. */
export function factField(
  path: string,
  label: string,
  options: FieldDefinition["options"],
): FieldDefinition {
  const type = FACTS[path]?.type ?? "text";
  return { name: path, label, type, ...(options ? { options } : {}) };
}

/** What filters can ask of a fact. */
export function factOperators(path: string): readonly Operator[] {
  return FACTS[path]?.operators ?? ["is"];
}
