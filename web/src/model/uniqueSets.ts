/** The sets of fields of a type whose values together no two objects share. */

import type { TypeDraft } from "./typeDraft";

export function addUniqueSet(draft: TypeDraft): TypeDraft {
  const added = { key: `u${draft.next}`, fields: [] };
  return { ...draft, unique: [...draft.unique, added], next: draft.next + 1 };
}

export function changeUniqueSet(
  draft: TypeDraft,
  key: string,
  fields: readonly string[],
): TypeDraft {
  const unique = draft.unique.map((set) => (set.key === key ? { ...set, fields } : set));
  return { ...draft, unique };
}

export function removeUniqueSet(draft: TypeDraft, key: string): TypeDraft {
  return { ...draft, unique: draft.unique.filter((set) => set.key !== key) };
}
