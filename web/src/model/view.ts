/** What a table shows, its form in the address, and in a saved view. */
import type { SavedView } from "~/api/records";
import { filterOf, readFilter } from "./filter";
import type { Condition } from "./filter/condition";
import { isOperator } from "./filter/operators";

export interface Sort {
  /** A path as in the API, such as `fields.hostname`. */
  path: string;
  descending: boolean;
}

export type Density = "compact" | "medium" | "roomy";

export interface View {
  /** Only objects of this type. */
  type: number | undefined;
  /** What the objects must contain, in the language of the search. */
  search: string | undefined;
  sort: Sort | undefined;
  conditions: Condition[];
  /** Besides the conditions, a filter in the language of the API, as JSON. */
  filter: string | undefined;
  density: Density;
  /** The paths of the columns in their order; nothing for those of the type. */
  columns: string[] | undefined;
  /** Widths in pixels of columns that have another one than at first. */
  widths: Readonly<Record<string, number>>;
  /** How many of the first columns stay while the others scroll. */
  pinned: number;
}

/** The parameters of the address. What has its default value is left out. */
export interface ViewSearch {
  type?: number;
  q?: string;
  sort?: string;
  where?: Condition[];
  filter?: string;
  density?: Density;
  columns?: string[];
  widths?: Record<string, number>;
  pinned?: number;
  /** The id of the saved view that this began with, or `NO_VIEW`. */
  view?: number;
}

/** Asks for no saved view, not even the default one. */
export const NO_VIEW = 0;

const DENSITIES: readonly Density[] = ["compact", "medium", "roomy"];
export const DEFAULT_DENSITY: Density = "compact";
export const DEFAULT_PINNED = 1;
const MOST_PINNED = 4;
const WIDTH = { least: 48, most: 1_200 };
/** The server reads no longer ones. */
export const LONGEST_SEARCH = 256;
/** Longer lists in an address are not ours. */
const MOST_COLUMNS = 1_000;

/** Reads an address. What cannot be read has its default value. */
export function viewSearch(search: Record<string, unknown>): ViewSearch {
  const { type, q, sort, where, filter, density, columns, widths, pinned, view } = search;
  return {
    ...(isId(type) ? { type } : {}),
    ...(isText(q) && q.length <= LONGEST_SEARCH ? { q } : {}),
    ...(isText(sort) ? { sort } : {}),
    ...(Array.isArray(where) && where.every(isCondition) && where.length ? { where } : {}),
    ...(isText(filter) ? { filter } : {}),
    ...(DENSITIES.includes(density as Density) && density !== DEFAULT_DENSITY
      ? { density: density as Density }
      : {}),
    ...(isColumns(columns) ? { columns } : {}),
    ...(isWidths(widths) ? { widths } : {}),
    ...(isPinned(pinned) ? { pinned } : {}),
    ...(isId(view) || view === NO_VIEW ? { view } : {}),
  };
}

const isId = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isColumns = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MOST_COLUMNS && value.every(isText);

const isWidth = (value: unknown): value is number =>
  typeof value === "number" && value >= WIDTH.least && value <= WIDTH.most;

const isWidths = (value: unknown): value is Record<string, number> =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(isWidth);

const isPinned = (value: unknown): value is number =>
  Number.isSafeInteger(value) &&
  Number(value) >= 0 &&
  Number(value) <= MOST_PINNED &&
  value !== DEFAULT_PINNED;

function isCondition(value: unknown): value is Condition {
  if (typeof value !== "object" || value === null) return false;
  const { path, operator, value: operand } = value as Partial<Condition>;
  return isText(path) && isOperator(operator) && typeof operand === "string";
}

export function viewOf(search: ViewSearch): View {
  const { sort } = search;
  const descending = sort?.startsWith("-") ?? false;
  return {
    type: search.type,
    search: search.q,
    sort: sort ? { path: descending ? sort.slice(1) : sort, descending } : undefined,
    conditions: search.where ?? [],
    filter: search.filter,
    density: search.density ?? DEFAULT_DENSITY,
    columns: search.columns,
    widths: search.widths ?? {},
    pinned: search.pinned ?? DEFAULT_PINNED,
  };
}

/** A width that a column may have. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, width)));
}

/**
 * What a saved view keeps: not what was searched for. Other programs read `columns`, `filter`,
 * `sort` and `order` of it.
 */
export function definitionOf(search: ViewSearch): Record<string, unknown> {
  const { type: _, view: __, q: ___, sort, filter, where, ...look } = viewSearch({ ...search });
  const { sort: order } = viewOf(search);
  const whole = filterOf({ type: undefined, conditions: where ?? [], filter });
  return {
    ...look,
    ...(order ? { sort: order.path, order: order.descending ? -1 : 1 } : {}),
    ...(whole === undefined ? {} : { filter: readFilter(whole) }),
    // The parts that `filter` was made of, so that they can be changed one by one.
    ...(where ? { where } : {}),
    ...(filter === undefined ? {} : { own_filter: filter }),
  };
}

/** The address of a saved view. */
export function searchOf(view: {
  public_id: number;
  type_id: number | null;
  definition: Record<string, unknown>;
}): ViewSearch {
  const { sort, order, filter, where, own_filter, ...look } = view.definition;
  const isOurs = where !== undefined || own_filter !== undefined;
  const own = isOurs ? own_filter : filter && JSON.stringify(filter);
  const path = isText(sort) ? `${Number(order) < 0 ? "-" : ""}${sort}` : undefined;
  return {
    ...viewSearch({ ...look, sort: path, where, filter: own }),
    ...(view.type_id === null ? {} : { type: view.type_id }),
    view: view.public_id,
  };
}

/** The more personal a default is, the more it counts. */
const AUDIENCES = ["private", "group", "all"];

/**
 * An address that names a type alone shows the type's default view, if there is one; nothing
 * until the views are known.
 */
export function withDefault(
  asked: ViewSearch,
  views: readonly SavedView[] | undefined,
): ViewSearch | undefined {
  if (Object.keys(asked).some((key) => key !== "type")) return asked;
  if (!views) return undefined;
  const [chosen] = views
    .filter((view) => view.is_default && view.type_id === (asked.type ?? null))
    .toSorted(
      (left, right) => AUDIENCES.indexOf(left.visibility) - AUDIENCES.indexOf(right.visibility),
    );
  return chosen ? searchOf(chosen) : asked;
}

/** Whether an address shows something else than the saved view that it began with. */
export function isModified(
  search: ViewSearch,
  saved: { public_id: number; type_id: number | null; definition: Record<string, unknown> },
): boolean {
  return stable(definitionOf(search)) !== stable(definitionOf(searchOf(saved)));
}

function stable(value: Record<string, unknown>): string {
  return JSON.stringify(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** The order after a click on a column: ascending, descending, then the list's own. */
export function nextSort(current: Sort | undefined, path: string): string | undefined {
  if (current?.path !== path) return path;
  return current.descending ? undefined : `-${path}`;
}
