/** Labels to print: what their address says, and the sheets that they are printed on. */

/** More labels than this are printed in parts. */
export const MOST_LABELS = 200;

export interface Sheet {
  columns: number;
  rows: number;
}

/** The sheets in shops: a roll of 62 × 29 mm, and A4 without margins. */
export const SHEETS = {
  "62x29": { columns: 1, rows: 1 },
  "a4-3x8": { columns: 3, rows: 8 },
  "a4-4x10": { columns: 4, rows: 10 },
} as const satisfies Record<string, Sheet>;

export type SheetName = keyof typeof SHEETS;
export const SHEET_NAMES = Object.keys(SHEETS) as SheetName[];
export const FIRST_SHEET: SheetName = "62x29";

/** The parameters of the address. */
export interface LabelSearch {
  /** Ids with commas between them. The router writes a single one as a number. */
  ids?: string | number;
  sheet?: SheetName;
  /** Names of fields with commas between them, in the order in which they are printed. */
  fields?: string;
  /** The field whose value is printed as a barcode. */
  barcode?: string;
}

/** Reads an address. What cannot be read is left out. */
export function labelSearch(search: Record<string, unknown>): LabelSearch {
  const { sheet, fields, barcode } = search;
  const ids = idsOf({ ids: search["ids"] as LabelSearch["ids"] });
  return {
    ...(ids.length > 0 ? { ids: idsParameter(ids) } : {}),
    ...(SHEET_NAMES.includes(sheet as SheetName) && sheet !== FIRST_SHEET
      ? { sheet: sheet as SheetName }
      : {}),
    ...(fields === undefined || fields === "" ? {} : { fields: String(fields) }),
    ...(barcode === undefined || barcode === "" ? {} : { barcode: String(barcode) }),
  };
}

/** Each object once, in the order of the address. */
export function idsOf({ ids }: Pick<LabelSearch, "ids">): number[] {
  const numbers = String(ids ?? "")
    .split(",")
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
  return [...new Set(numbers)];
}

/** The reverse. */
export function idsParameter(ids: readonly number[]): string | number {
  const [only] = ids;
  return only !== undefined && ids.length === 1 ? only : ids.join(",");
}

export function fieldNames({ fields }: Pick<LabelSearch, "fields">): string[] {
  return (fields ?? "").split(",").filter(Boolean);
}

/** The labels of each sheet. */
export function pagesOf<T>(labels: readonly T[], { columns, rows }: Sheet): T[][] {
  const size = columns * rows;
  const count = Math.ceil(labels.length / size);
  return Array.from({ length: count }, (_, page) => labels.slice(page * size, (page + 1) * size));
}
