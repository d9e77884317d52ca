import type { FieldDefinition, FieldKind } from "~/api/records";
import type { Texts } from "~/i18n/en";
import type { Operator } from "~/model/filter/operators";
import { hasTargetTypes } from "~/model/targets";
import { checkbox } from "./checkbox";
import { radio, select } from "./choice";
import { date } from "./date";
import { datetime } from "./datetime";
import { email } from "./email";
import type { Kind, Setting } from "./kind";
import { mac } from "./mac";
import { number } from "./number";
import { password } from "./password";
import { location, reference, sectionReference } from "./reference";
import { text } from "./text";
import { textarea } from "./textarea";
import { url } from "./url";

/** The kinds of the API by name, as people choose among them. No other module compares these. */
const KINDS = {
  text,
  textarea,
  number,
  date,
  datetime,
  select,
  radio,
  checkbox,
  url,
  email,
  mac,
  ref: reference,
  location,
  password,
  "ref-section-field": sectionReference,
} satisfies Record<FieldKind, Kind>;

const BY_NAME = new Map<string, Kind>(Object.entries(KINDS));

/** The kinds of new fields, in the order in which people choose them. */
export const KINDS_TO_CHOOSE: readonly string[] = [...BY_NAME]
  .filter(([, kind]) => !kind.isLegacy)
  .map(([name]) => name);

/** A kind by its name in the API. */
export function kindNamed(name: string): Kind {
  return BY_NAME.get(name) ?? text;
}

/** What people call a kind; one that is not known has the name of the API alone. */
export function kindLabel(name: string, texts: Texts): string {
  return BY_NAME.get(name)?.label(texts) ?? name;
}

/** Settings of any kind; those of another kind go when the kind changes. */
export const SETTINGS: readonly Setting[] = [
  ...new Set(Object.values<Kind>(KINDS).flatMap(settingsOf)),
];

/** What a definition of the kind may set, in the order of a form. */
export function settingsOf({ settings }: Kind): Setting[] {
  return Object.keys(settings) as Setting[];
}

/** The kind of a field. One with `ref_types` is a reference, unless it is a secret. */
export function kindOf(field: FieldDefinition): Kind {
  const kind = kindNamed(field.type);
  return hasTargetTypes(field) && !kind.isSecret && !kind.targets ? reference : kind;
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
