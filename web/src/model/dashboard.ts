/** What the first page shows. */
import { at } from "./filter/operand";

export type Widget =
  | { kind: "types" }
  | { kind: "recent" }
  | { kind: "view"; view: number }
  | { kind: "count"; view: number }
  | { kind: "chart"; type: number; field: string }
  | { kind: "expiring"; type: number; field: string; days: number }
  | { kind: "unclean"; type: number };

export type WidgetKind = Widget["kind"];

export const DEFAULT_WIDGETS: readonly Widget[] = [{ kind: "recent" }, { kind: "types" }];

/** More would be read on no screen. */
export const MOST_WIDGETS = 24;

/** Dates end in the year 275760. */
const MOST_DAYS = 100_000;

/** Reads what was stored; what cannot be read is left out. */
export function widgetsOf(stored: unknown): readonly Widget[] {
  if (!Array.isArray(stored)) return DEFAULT_WIDGETS;
  return stored.filter(isWidget).slice(0, MOST_WIDGETS);
}

function isWidget(value: unknown): value is Widget {
  if (typeof value !== "object" || value === null) return false;
  const { kind, view, type, field, days } = value as Record<string, unknown>;
  const isField = Number.isSafeInteger(type) && typeof field === "string";
  switch (kind) {
    case "types":
    case "recent":
      return true;
    case "view":
    case "count":
      return Number.isSafeInteger(view);
    case "chart":
      return isField;
    case "expiring":
      return isField && Number.isSafeInteger(days) && Math.abs(days as number) <= MOST_DAYS;
    case "unclean":
      return Number.isSafeInteger(type);
    default:
      return false;
  }
}

/** The filter of objects of a type whose date lies between today and some days later. */
export function expiringFilter(type: number, field: string, days: number, today: Date): string {
  const last = new Date(today);
  last.setUTCDate(last.getUTCDate() + days);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const [from, to] = [dayOf(today), dayOf(last)];
  const path = `fields.${field}`;
  const asText = at(path, { $gte: from, $lte: to });
  const asDate = at(path, { $gte: { $date: from }, $lte: { $date: to } });
  return JSON.stringify({ type_id: type, $or: [asText, asDate] });
}
