/** An object as screens show it, from its rendered form. */
import type { FieldDefinition, RenderedObject } from "~/api/records";
import { dateOf } from "./object";

/** A field with its value and, for a reference, what it points to. */
export interface RecordField {
  definition: FieldDefinition;
  value: unknown;
  target: { id: number; summary: string } | undefined;
}

export interface InventoryRecord {
  id: number;
  type: { id: number; label: string; icon: string | null };
  summary: string;
  isActive: boolean;
  created: Date | undefined;
  changed: Date | undefined;
  author: string;
  editor: string | null;
  fields: ReadonlyMap<string, RecordField>;
  sections: readonly { name: string; label: string; fields: string[] }[];
  externals: readonly { name: string; label: string; href: string }[];
}

interface RenderedReference {
  object_id?: number;
  line?: string;
  summaries?: { value?: unknown }[];
}

/** Leaves nothing out: fields that the type does not define are there, too. */
export function recordOf(rendered: RenderedObject): InventoryRecord {
  const { object_information: object, type_information: type } = rendered;
  const fields = type.fields.map((field): [string, RecordField] => {
    const { value, reference, ...definition } = field as FieldDefinition & {
      value: unknown;
      reference?: RenderedReference | null;
    };
    return [field.name, { definition, value, target: targetOf(reference) }];
  });
  return {
    id: object.object_id,
    type: { id: type.type_id, label: type.type_label || type.type_name, icon: type.icon },
    summary: type.summary_line || `#${object.object_id}`,
    isActive: object.active,
    created: dateOf(object.creation_time),
    changed: dateOf(object.last_edit_time),
    author: object.author_name,
    editor: object.editor_name,
    fields: new Map(fields),
    sections: type.sections,
    externals: type.externals,
  };
}

/** A reference without a line of its own is named by the first values of its summary. */
function targetOf(reference: RenderedReference | null | undefined) {
  if (!reference?.object_id) return undefined;
  const values = (reference.summaries ?? []).map(({ value }) => value);
  const named = values.filter((value) => value != null && value !== "").slice(0, 2);
  return { id: reference.object_id, summary: reference.line || named.join(" ") };
}
