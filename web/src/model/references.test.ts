import { expect, test } from "vitest";
import type { InventoryObject, ObjectType } from "~/api/types";
import type { InventoryRecord, RecordField } from "./record";
import { pointersOf, referringFields } from "./references";

const field = (name: string, value: unknown, target?: RecordField["target"]) => {
  const definition = { type: "ref", name, label: name.toUpperCase(), ref_types: [3] };
  return [name, { definition, value, target }] as const;
};

test("a record points to what its references name", () => {
  const fields = new Map([
    field("rack", 8, { id: 8, summary: "R1" }),
    field("room", 9),
    field("owner", null),
  ]);
  const record = { fields } as unknown as InventoryRecord;
  const labels = { 8: { type_id: 3, summary: "HAM-R01", active: true } };
  expect(pointersOf(record, labels)).toEqual([
    { field: "rack", label: "RACK", value: "8", target: { id: 8, type: 3, summary: "HAM-R01" } },
    { field: "room", label: "ROOM", value: "9", target: undefined },
  ]);
});

test("only references refer", () => {
  const type = {
    fields: [
      { type: "ref", name: "rack", label: "Rack", ref_types: [3] },
      { type: "number", name: "unit", label: "Unit" },
    ],
  } as unknown as ObjectType;
  const fields = [
    { name: "rack", value: 8 },
    { name: "unit", value: 8 },
  ];
  expect(referringFields({ fields } as InventoryObject, 8, type)).toEqual(["Rack"]);
});
