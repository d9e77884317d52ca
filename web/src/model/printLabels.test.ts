import { expect, test } from "vitest";
import { fieldNames, idsOf, labelSearch, pagesOf, SHEETS } from "./printLabels";

test("an address lists ids, a sheet and fields", () => {
  expect(labelSearch({ ids: "3,1,3,x", sheet: "a4-3x8", fields: "name,serial" })).toEqual({
    ids: "3,1",
    sheet: "a4-3x8",
    fields: "name,serial",
  });
  expect(labelSearch({ ids: 7, sheet: "letter", fields: "", barcode: 12 })).toEqual({
    ids: 7,
    barcode: "12",
  });
  expect(labelSearch({})).toEqual({});
  expect(idsOf({ ids: "3,1" })).toEqual([3, 1]);
  expect(fieldNames({ fields: "a,b" })).toEqual(["a", "b"]);
});

test("labels fill sheet after sheet", () => {
  const labels = Array.from({ length: 25 }, (_, index) => index);
  const pages = pagesOf(labels, SHEETS["a4-3x8"]);
  expect(pages.map(({ length }) => length)).toEqual([24, 1]);
});
