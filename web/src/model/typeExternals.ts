/** The links of a type to other systems. */

import { nameFrom } from "./apiName";
import { type External, keyOfName, type TypeDraft } from "./typeDraft";

/** Every object has this, though it is no field. */
export const OBJECT_ID = keyOfName("object_id");

export function addExternal(draft: TypeDraft): TypeDraft {
  const external = {
    name: `link-${draft.externals.length + 1}`,
    label: "",
    href: "",
    icon: "fas fa-external-link-alt",
    fields: [],
  };
  const added = { key: `n-${draft.next}`, external, fields: [] };
  return { ...draft, externals: [...draft.externals, added], next: draft.next + 1 };
}

/** The name follows the label as long as nobody chose another one. */
export function changeExternal(draft: TypeDraft, key: string, part: Partial<External>): TypeDraft {
  const externals = draft.externals.map((entry) => {
    if (entry.key !== key) return entry;
    const { external } = entry;
    const isOwn = !/^link-\d+$/.test(external.name) && external.name !== nameFrom(external.label);
    const name = part.label === undefined || isOwn ? external.name : nameFrom(part.label);
    return { ...entry, external: { ...external, name: name || external.name, ...part } };
  });
  return { ...draft, externals };
}

export function removeExternal(draft: TypeDraft, key: string): TypeDraft {
  return { ...draft, externals: draft.externals.filter((external) => external.key !== key) };
}
