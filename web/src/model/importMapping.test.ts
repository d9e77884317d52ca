import { expect, test } from "vitest";
import type { ImportPlan, ObjectType } from "~/api/records";
import {
  lackingFields,
  mappingOf,
  namingFields,
  referenceGoal,
  runBody,
  unusedColumns,
  withGoal,
  withKey,
} from "./importMapping";

const PLAN: ImportPlan = {
  type_id: 7,
  columns: { Host: "hostname", Room: { field: "room", by: "code", types: [2] }, Id: "public_id" },
  key: ["hostname"],
  policy: "stop",
  dry_run: true,
  only: null,
  source: null,
};

test("a plan is read, and sent again", () => {
  const mapping = mappingOf(PLAN, "skip");
  expect(mapping.key).toEqual(["hostname"]);
  expect(runBody(mapping, 7, false)).toEqual({
    type_id: 7,
    columns: PLAN.columns,
    key: ["hostname"],
    policy: "skip",
    dry_run: false,
  });
});

test("what happens to values that do not fit is sent again", () => {
  const columns = {
    Room: { field: "room", by: "code", types: [2], else: "room_text" },
    Bought: { field: "bought", dates: "month/day/year" },
  };
  const mapping = mappingOf({ ...PLAN, columns });
  expect(runBody(mapping, 7, false).columns).toEqual(columns);
  const room = mapping.goals.get("Room");
  const byId = withGoal(mapping, "Room", { ...(room ?? { target: "room" }), by: undefined });
  expect(runBody(byId, 7, false).columns).toMatchObject({ Room: "room" });
});

test("columns that tell an object together are read, sent again, and used", () => {
  const by = { code: "Room", site: "Site" };
  const plan = { ...PLAN, columns: { Room: { field: "room", by, types: [2] } } };
  const mapping = mappingOf(plan);
  const others = [{ field: "site", column: "Site" }];
  expect(mapping.goals.get("Room")).toEqual({ target: "room", by: "code", others, types: [2] });
  expect(runBody(mapping, 7, false).columns).toEqual(plan.columns);
  expect(unusedColumns(mapping, ["Room", "Site", "Floor"])).toEqual(["Floor"]);
});

test("a target takes one column, and what is unused cannot be part of the key", () => {
  const moved = withGoal(mappingOf(PLAN), "Name", { target: "hostname" });
  expect([...moved.goals.keys()]).toEqual(["Room", "Id", "Name"]);
  expect(moved.key).toEqual(["hostname"]);
  const removed = withGoal(moved, "Name", undefined);
  expect(removed.key).toEqual([]);
  expect(unusedColumns(removed, ["Host", "Room", "Name", "import_problem"])).toEqual([
    "Host",
    "Name",
  ]);
});

test("the id finds its object alone", () => {
  const keyed = withKey(mappingOf(PLAN), "public_id", true);
  expect(keyed.key).toEqual(["public_id"]);
  expect(withKey(keyed, "room", true).key).toEqual(["room"]);
  expect(withKey(keyed, "public_id", false).key).toEqual([]);
});

const FIELDS = [
  { type: "text", name: "code", label: "Code", required: true },
  { type: "text", name: "state", label: "State", required: true, value: "new" },
  { type: "text", name: "note", label: "Note" },
];
const TYPE = {
  public_id: 2,
  fields: FIELDS,
  render_meta: { summary: { fields: ["code"] } },
} as unknown as ObjectType;

test("required fields without a column are named, unless they have a value at first", () => {
  const lacking = lackingFields(mappingOf(PLAN), TYPE);
  expect(lacking.map(({ name }) => name)).toEqual(["code"]);
});

test("a reference is by number if the column holds numbers, else by what names its objects", () => {
  const field = { type: "ref", name: "room", label: "Room", ref_types: [2] };
  expect(referenceGoal(field, "integer", [TYPE])).toEqual({ target: "room" });
  expect(referenceGoal(field, "text", [TYPE])).toEqual({ target: "room", by: "code", types: [2] });
  expect(referenceGoal({ ...field, ref_types: [] }, "text", [TYPE])).toEqual({ target: "room" });
  expect(namingFields([TYPE, TYPE])).toEqual(FIELDS);
});
