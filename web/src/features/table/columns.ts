import type { FieldDefinition, ObjectType } from "~/api/records";
import type { Texts } from "~/i18n/en";
import { factField, factOperators, kindOf } from "~/kinds/registry";
import type { Operator } from "~/model/filter/operators";
import { columnFields } from "~/model/object";
import type { View } from "~/model/view";

/** A column of the table. */
export interface Column {
  /** The path in the API: sorts and filters use it. */
  path: string;
  label: string;
  width: number;
  /** Whether it takes a part of the space that is left. */
  grows: boolean;
  alignsRight: boolean;
  /** Only for the values of a field. */
  field: FieldDefinition | undefined;
  isSortable: boolean;
  /** Whether the summary of an object says it already. */
  isInSummary: boolean;
  /** The field, or what stands for one in the conditions of filters. */
  asked: FieldDefinition;
  /** What filters can ask. */
  operators: readonly Operator[];
}

const ID_WIDTH = 84;
const SUMMARY_WIDTH = 280;
const TYPE_WIDTH = 160;
const TIME_WIDTH = 170;
/** More columns are shown if somebody chooses them. */
const MOST_AT_FIRST = 40;
const MOST_ON_CARD = 12;
const MOST_ON_CARD_AT_FIRST = 4;

/** All columns that there are for a type's objects, or for objects of all types. */
export function columnsOf(
  type: ObjectType | undefined,
  types: readonly ObjectType[],
  texts: Texts,
): Column[] {
  const changed = column("last_edit_time", texts.changed, TIME_WIDTH);
  const number = column("public_id", texts.objectNumber, ID_WIDTH);
  const id = { ...number, grows: false, alignsRight: true };
  if (!type) {
    const summary = { ...column("summary", texts.table.summary, SUMMARY_WIDTH), isSortable: false };
    const options = types.map(({ public_id, label, name }) => ({
      name: String(public_id),
      label: label || name,
    }));
    return [id, summary, column("type_id", texts.type, TYPE_WIDTH, options), changed];
  }
  const summary = type.render_meta.summary.fields ?? [];
  const fields = columnFields(type).map((field) => fieldColumn(field, summary));
  return [id, ...fields, changed];
}

/** The columns that a view shows, as wide as it says. Unknown ones are left out. */
export function shownColumns(all: readonly Column[], view: View): Column[] {
  const chosen = view.columns?.flatMap((path) => all.find((column) => column.path === path) ?? []);
  const columns = chosen?.length ? chosen : all.slice(0, MOST_AT_FIRST);
  return columns.map((column) => {
    const width = view.widths[column.path];
    return width === undefined ? column : { ...column, width, grows: false };
  });
}

/** The tracks of a row for `grid-template-columns`, after a first one of that width. */
export function tracksOf(before: number, columns: readonly Column[]): string {
  const tracks = columns.map(({ width, grows }) =>
    grows ? `minmax(${width}px, ${width}fr)` : `${width}px`,
  );
  return [`${before}px`, ...tracks].join(" ");
}

/** The columns of a card, below its summary, and how many it leaves out. */
export function cardColumns(columns: readonly Column[], isChosen: boolean) {
  const below = columns.filter(({ isInSummary }) => isChosen || !isInSummary);
  const shown = below.slice(0, isChosen ? MOST_ON_CARD : MOST_ON_CARD_AT_FIRST);
  return { shown, more: isChosen ? below.length - shown.length : 0 };
}

function column(
  path: string,
  label: string,
  width: number,
  options?: FieldDefinition["options"],
): Column {
  return {
    path,
    label,
    width,
    grows: true,
    alignsRight: false,
    field: undefined,
    isSortable: true,
    isInSummary: path === "public_id" || path === "summary",
    asked: factField(path, label, options),
    operators: factOperators(path),
  };
}

function fieldColumn(field: FieldDefinition, summary: readonly string[]): Column {
  const { width, alignsRight, operators } = kindOf(field);
  const path = `fields.${field.name}`;
  const label = field.label || field.name;
  const isInSummary = summary.includes(field.name);
  const look = { path, label, width, grows: true, alignsRight };
  return { ...look, field, isSortable: true, isInSummary, asked: field, operators };
}
