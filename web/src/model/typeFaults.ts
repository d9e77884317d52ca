/** Places of a type that the server refused. */
import type { FieldDefinition } from "~/api/records";
import type { TypeDraft } from "./typeDraft";

export interface TypeFaults {
  /** By the key of the field, then by the key of its definition; "" for the field as a whole. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By the key of the type, such as `name`. */
  type: ReadonlyMap<string, string>;
  /** All of them, in their order. */
  all: readonly { pointer: string; detail: string }[];
}

export const NO_FAULTS: TypeFaults = { fields: new Map(), type: new Map(), all: [] };

const FIELD = /^\/fields\/(\d+)(?:\/([^/]+))?/;
const TYPE = /^\/([^/]+)/;

/** Faults of a body that was made from this draft. */
export function typeFaults(draft: TypeDraft, faults: TypeFaults["all"]): TypeFaults {
  const fields = new Map<string, Map<string, string>>();
  const type = new Map<string, string>();
  for (const { pointer, detail } of faults) {
    const [, index, name = ""] = FIELD.exec(pointer) ?? [];
    const key = index === undefined ? undefined : draft.fields[Number(index)]?.key;
    if (key === undefined) {
      const member = TYPE.exec(pointer)?.[1] ?? "";
      type.set(member, joined(type.get(member), detail));
    } else {
      const ofField = fields.get(key) ?? new Map<string, string>();
      fields.set(key, ofField.set(name, joined(ofField.get(name), detail)));
    }
  }
  return { fields, type, all: faults };
}

function joined(before: string | undefined, detail: string): string {
  return before === undefined ? detail : `${before} ${detail}`;
}

/** The choices of a draft that have no option, as faults of its body. */
export function emptyChoices(
  draft: TypeDraft,
  isChoice: (field: FieldDefinition) => boolean,
  detail: string,
): TypeFaults["all"] {
  return draft.fields.flatMap(({ definition }, index) => {
    const isEmpty = isChoice(definition) && !definition.options?.length;
    return isEmpty ? [{ pointer: `/fields/${index}/options`, detail }] : [];
  });
}

/** What the server says of a change, without the call of the API that would follow. */
export function withoutCall(detail: string): string {
  return detail.replace(/; (?:GET|PUT|POST|PATCH|DELETE) \/rest\/[^;]*$/, "");
}
