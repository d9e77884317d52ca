import { expect, test } from "vitest";
import type { InventoryObject, ObjectType } from "~/api/records";
import type { InventoryRecord, RecordField } from "./record";
import { commonTargets, pointersOf, redirection, referringFields } from "./references";

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
  const titles = { 8: { type_id: 3, summary: "HAM-R01", active: true } };
  expect(pointersOf(record, titles)).toEqual([
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

test("references point elsewhere before their object goes", () => {
  const object = (id: number, values: object) =>
    ({
      public_id: id,
      type_id: 2,
      revision: 5,
      fields: Object.entries(values).map(([name, value]) => ({ name, value })),
    }) as unknown as InventoryObject;
  const referrers = [
    object(20, { rack: 8, spare: "8", unit: 8 }),
    object(8, { rack: 8 }),
    object(9, { rack: 8 }),
    object(21, { unit: 8 }),
  ];
  const isReference = (_: number, name: string) => name !== "unit";
  const change = (id: number, ...fields: [string, number | null][]) => ({
    method: "PATCH",
    path: `/objects/${id}`,
    body: { fields: fields.map(([name, value]) => ({ name, value })) },
    if_match: 5,
  });
  expect(redirection(referrers, { id: 8, target: 9, isReference })).toEqual([
    change(20, ["rack", 9], ["spare", 9]),
    change(9, ["rack", null]),
    { method: "DELETE", path: "/objects/8?references=protect" },
  ]);
});

test("only types to which all references may point are offered", () => {
  const type = (...targets: number[][]) =>
    ({ fields: targets.map((ref_types) => ({ ref_types })) }) as unknown as ObjectType;
  expect(commonTargets(3, [type([3, 4], [9]), type([4, 3, 5], [])])).toEqual([3, 4]);
  expect(commonTargets(3, [undefined])).toEqual([3]);
});
