/** What a draft changes for the objects that there are. */
import { hasTargetTypes } from "./targets";
import { type DraftField, fieldOf, isSameDraft, type TypeDraft } from "./typeDraft";

/** A change that objects notice. */
export interface TypeChange {
  what:
    | "removed"
    | "renamed"
    | "kind"
    | "required"
    | "unique"
    | "regex"
    | "options"
    | "targets"
    | "setAdded"
    | "setRemoved";
  /** The field's label until now. */
  label: string;
  /** The name until now. */
  name: string;
  /** What it is from now on, if a word says that. */
  after: string;
}

/** Changes by which objects may lose a value or stop being valid. */
export function riskyChanges(before: TypeDraft, after: TypeDraft): TypeChange[] {
  if (isSameDraft(before, after)) return [];
  const ofFields = before.fields.flatMap((field) => {
    const next = after.fields.find(({ key }) => key === field.key);
    return fieldChanges(field, next);
  });
  return [
    ...ofFields,
    ...missingSets(before, after).map((set) => setChange("setRemoved", set)),
    ...missingSets(after, before).map((set) => setChange("setAdded", set)),
  ];
}

/** The sets of unique fields that the other draft lacks, by the labels of their fields. */
function missingSets(draft: TypeDraft, other: TypeDraft): string[] {
  const keysOf = (fields: readonly string[]) => fields.toSorted().join(" ");
  const known = new Set(other.unique.map(({ fields }) => keysOf(fields)));
  const missing = draft.unique.filter(
    ({ fields }) => fields.length > 0 && !known.has(keysOf(fields)),
  );
  const labelOf = (key: string) => {
    const definition = fieldOf(draft, key)?.definition;
    return definition?.label || definition?.name || key;
  };
  return missing.map(({ fields }) => fields.map(labelOf).join(", "));
}

function setChange(what: "setAdded" | "setRemoved", label: string): TypeChange {
  return { what, label, name: label, after: "" };
}

function fieldChanges(before: DraftField, after: DraftField | undefined): TypeChange[] {
  const { label, name, type, ...old } = before.definition;
  const change = (what: TypeChange["what"], text = ""): TypeChange => ({
    what,
    label: label || name,
    name,
    after: text,
  });
  if (!after) return [change("removed")];
  const { definition } = after;
  const kept = new Set((definition.options ?? []).map((option) => option.name));
  const lost = (old.options ?? []).filter((option) => !kept.has(option.name));
  const targets = definition.ref_types ?? [];
  const isNarrower =
    targets.length > 0 &&
    (!hasTargetTypes(old) || old.ref_types?.some((target) => !targets.includes(target)));
  return [
    ...(definition.name !== name ? [change("renamed", definition.name)] : []),
    ...(definition.type !== type ? [change("kind", definition.type)] : []),
    ...(definition.required && !old.required ? [change("required")] : []),
    ...(definition.unique && !old.unique ? [change("unique")] : []),
    ...(definition.regex && definition.regex !== old.regex
      ? [change("regex", definition.regex)]
      : []),
    ...(lost.length ? [change("options", lost.map((option) => option.label).join(", "))] : []),
    ...(isNarrower ? [change("targets")] : []),
  ];
}
