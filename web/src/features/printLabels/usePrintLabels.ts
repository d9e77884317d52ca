import { useQuery } from "@tanstack/react-query";
import { serverUrl } from "~/api/client";
import { typesQuery } from "~/api/objectTypes";
import { labelObjectsQuery } from "~/api/printLabels";
import type { FieldDefinition, InventoryObject, ObjectType, ReferenceTitles } from "~/api/records";
import { kindOf } from "~/kinds/registry";
import { fieldsOf, fieldValue, summaryOf } from "~/model/object";
import { printableFields } from "~/model/printLabelFields";
import { fieldNames, idsOf, type LabelSearch, MOST_LABELS } from "~/model/printLabels";

/** What is printed of one object. */
export interface LabelContent {
  id: number;
  url: string;
  type: string;
  name: string;
  lines: { label: string; text: string }[];
  /** The text of the barcode; empty for none. */
  barcode: string;
}

/** The labels that an address asks for, and the fields that they could show. */
export function usePrintLabels(search: LabelSearch) {
  const ids = idsOf(search);
  const shown = ids.slice(0, MOST_LABELS);
  const read = useQuery(labelObjectsQuery(shown));
  const types = useQuery(typesQuery);
  const known = types.data ?? [];
  // Without the types, no label has a name.
  const { objects, titles } = (types.data && read.data) ?? { objects: [], titles: {} };
  const names = fieldNames(search);
  const contents = objects.map((object): LabelContent => {
    const type = known.find(({ public_id }) => public_id === object.type_id);
    const text = (name: string) => fieldText(object, type, name, titles);
    return {
      id: object.public_id,
      url: new URL(`objects/${object.public_id}`, serverUrl).href,
      type: type?.label || type?.name || "",
      name: summaryOf(object, type, titles) || `#${object.public_id}`,
      lines: names.flatMap((name) => lineOf(type, name, text(name))),
      barcode: search.barcode === undefined ? "" : text(search.barcode),
    };
  });
  return {
    contents,
    fields: printableFields(objects, known),
    isPending: ids.length > 0 && (read.isPending || types.isPending),
    error: read.error ?? types.error,
    retry: () => void read.refetch(),
    missing: shown.length - objects.length,
    isCut: ids.length > shown.length,
  };
}

function definitionOf(type: ObjectType | undefined, name: string): FieldDefinition | undefined {
  return fieldsOf(type).find((field) => field.name === name);
}

function lineOf(type: ObjectType | undefined, name: string, text: string) {
  const definition = definitionOf(type, name);
  return definition && text !== "" ? [{ label: definition.label || name, text }] : [];
}

/** A value as people read it; secrets are left out by their kind. */
function fieldText(
  object: InventoryObject,
  type: ObjectType | undefined,
  name: string,
  titles: ReferenceTitles,
): string {
  const definition = definitionOf(type, name);
  const value = fieldValue(object, name);
  if (!definition || value === null || value === undefined) return "";
  const { targets, format } = kindOf(definition);
  const names = targets?.(value).flatMap((id) => titles[id]?.summary ?? []) ?? [];
  return names.length > 0 ? names.join(", ") : format(value, definition);
}
