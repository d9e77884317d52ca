import { expect, test } from "vitest";
import type { ImportColumn, ImportRow } from "~/api/records";
import { chunksOf, isRefused, NO_REPAIRS, repairsToSend, shownRow, withRepair } from "./importRows";

const ROW: ImportRow = {
  row: 3,
  status: "error",
  object: null,
  problems: [
    { column: "Units", detail: "must be a number" },
    { column: "Units", detail: "is too long" },
    { column: null, detail: "its key fits two objects" },
    { column: "Gone", detail: "is required" },
  ],
  cells: ["web-02", "many", null],
};
const COLUMNS = ["Name", "Units", "Room"];

test("problems stand at their cells, and those without a column at the row", () => {
  const row = shownRow(ROW, COLUMNS);
  expect(row.cells.map(({ text, problems }) => [text, problems.length])).toEqual([
    ["web-02", 0],
    ["many", 2],
    ["", 0],
  ]);
  expect(row.problems).toEqual(["its key fits two objects", "is required"]);
  expect(isRefused(row)).toBe(true);
});

test("a text whose end is not shown is not written back", () => {
  const long = shownRow({ ...ROW, cells: ["x".repeat(1_000), "1", null] }, COLUMNS);
  expect(long.cells.map(({ isCut }) => isCut)).toEqual([true, false, false]);
});

test("a repair is forgotten when the text is the file's again", () => {
  const row = shownRow(ROW, COLUMNS);
  const [, units, room] = row.cells;
  if (!units || !room) throw new Error("the row has three cells");
  const typed = withRepair(withRepair(NO_REPAIRS, row, units, "4"), row, room, "A1");
  expect(repairsToSend(typed, [], "csv")).toEqual([{ row: 3, cells: { Units: "4", Room: "A1" } }]);
  const back = withRepair(withRepair(typed, row, units, "many"), row, room, "");
  expect(back.size).toBe(0);
});

test("an empty cell is null, and values of JSON keep their kind", () => {
  const column = (name: string, looks: string) => ({ name, looks }) as ImportColumn;
  const columns = [column("Name", "text"), column("Units", "integer"), column("Tags", "text")];
  const texts = new Map([
    ["Name", "12"],
    ["Units", "12"],
    ["Tags", '["a"]'],
  ]);
  const send = (cells: ReadonlyMap<string, string>, format: string) =>
    repairsToSend(new Map([[3, cells]]), columns, format)[0]?.cells;
  expect(send(new Map([["Name", ""]]), "csv")).toEqual({ Name: null });
  expect(send(texts, "xlsx")).toEqual({ Name: "12", Units: "12", Tags: '["a"]' });
  expect(send(texts, "json")).toEqual({ Name: "12", Units: 12, Tags: ["a"] });
  expect(send(new Map([["Units", "twelve"]]), "json")).toEqual({ Units: "twelve" });
});

test("many rows are sent in parts", () => {
  expect(chunksOf([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
});
