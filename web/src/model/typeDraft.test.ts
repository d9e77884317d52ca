import { expect, test } from "vitest";
import type { ObjectType } from "~/api/records";
import { nameFrom } from "./apiName";
import { riskyChanges } from "./typeChanges";
import { bodyOf, draftOf, emptyType, isSameDraft, looseFields, storedDraft } from "./typeDraft";
import {
  addField,
  addSection,
  changeField,
  fillOptions,
  LOOSE,
  moveField,
  placeOf,
  relabelField,
  removeField,
  removeSection,
  shiftField,
} from "./typeEdit";
import { changeExternal } from "./typeExternals";
import { emptyChoices, typeFaults, withoutCall } from "./typeFaults";
import { withContent } from "./typeJson";

const server: ObjectType = {
  ...emptyType(1, ""),
  public_id: 11,
  name: "server",
  label: "Server",
  fields: [
    { type: "text", name: "host", label: "Host", ...{ colour: { red: 1 } } },
    { type: "select", name: "state", label: "State", options: [{ name: "on", label: "On" }] },
    { type: "text", name: "serial", label: "Serial" },
    { type: "ref-section-field", name: "care-field", label: "Care", ref_types: [7] },
  ],
  render_meta: {
    icon: "fas fa-server",
    sections: [
      { type: "section", name: "a", label: "A", fields: ["host", "state", "gone"] },
      {
        type: "ref-section",
        name: "care",
        label: "Care",
        fields: ["care-field"],
        reference: { type_id: 7, section_name: "x", selected_fields: [] },
      },
      { type: "section", name: "b", label: "B", fields: [] },
    ],
    externals: [
      {
        name: "m",
        label: "M",
        icon: "",
        href: "https://m/{}/{host}",
        fields: ["host", "object_id"],
      },
    ],
    summary: { fields: ["host"] },
  },
  acl: { activated: false, groups: { includes: {} }, ...{ note: "kept" } },
};

const draft = draftOf(server);
const keyOf = (name: string) =>
  draft.fields.find(({ definition }) => definition.name === name)?.key ?? "";
const sectionKey = (index: number) => draft.sections[index]?.key ?? "";
const sectionNames = (of: typeof draft) =>
  bodyOf(of).render_meta.sections.map(({ fields }) => fields);

test("a type that nobody changed is sent as it was, with keys that nobody knows", () => {
  const { public_id: _, editor_id: __, creation_time: ___, last_edit_time: ____, ...body } = server;
  expect(bodyOf(draft)).toEqual({ ...body, unique: [] });
});

test("a renamed field says its old name and keeps its places", () => {
  const body = bodyOf(changeField(draft, keyOf("host"), { name: "host-name" }));
  expect(body.fields[0]).toMatchObject({ name: "host-name", renamed_from: "host" });
  expect(body.render_meta.sections[0]?.fields).toEqual(["host-name", "state", "gone"]);
  expect(body.render_meta.summary.fields).toEqual(["host-name"]);
  expect(body.render_meta.externals[0]).toMatchObject({
    href: "https://m/{}/{host-name}",
    fields: ["host-name", "object_id"],
  });
});

test("fields move within sections, between them, and past those of other objects", () => {
  const down = shiftField(draft, keyOf("host"), 1);
  expect(sectionNames(down)[0]).toEqual(["state", "host", "gone"]);
  const last = shiftField(shiftField(down, keyOf("host"), 1), keyOf("host"), 1);
  expect(sectionNames(last)).toEqual([["state", "gone"], ["care-field"], ["host"]]);
  expect(shiftField(last, keyOf("host"), 1)).toBe(last);
  const back = shiftField(last, keyOf("host"), -1);
  expect(placeOf(back, keyOf("host"))).toEqual({ section: sectionKey(0), index: 2 });
});

test("a field without section moves up into the last one", () => {
  expect(looseFields(draft).map(({ definition }) => definition.name)).toEqual(["serial"]);
  expect(placeOf(draft, keyOf("serial"))).toEqual({ section: LOOSE, index: 0 });
  const up = shiftField(draft, keyOf("serial"), -1);
  expect(sectionNames(up)[2]).toEqual(["serial"]);
  expect(looseFields(moveField(up, keyOf("serial"), { section: LOOSE, index: 0 }))).toHaveLength(1);
});

test("a new field has a name of its own, which follows its label until it is stored", () => {
  const place = { section: sectionKey(2), index: 0 };
  let next = addField(draft, { type: "text", name: "host", label: "Host" }, place);
  const key = next.fields.at(-1)?.key ?? "";
  expect(next.fields.at(-1)?.definition.name).toBe("host-2");
  next = relabelField(next, key, "Größe in m");
  expect(next.fields.at(-1)?.definition.name).toBe("groesse-in-m");
  next = relabelField(relabelField(next, key, ""), key, "Width");
  expect(next.fields.at(-1)?.definition.name).toBe("width");
  next = relabelField(changeField(next, key, { name: "extent" }), key, "Size");
  next = relabelField(next, key, "Length");
  expect(next.fields.at(-1)?.definition.name).toBe("extent");
  expect(relabelField(draft, keyOf("host"), "Name").fields[0]?.definition.name).toBe("host");
});

test("a removed field goes everywhere, the fields of a removed section stay", () => {
  const body = bodyOf(removeField(draft, keyOf("host")));
  expect(body.fields.map(({ name }) => name)).toEqual(["state", "serial", "care-field"]);
  expect(JSON.stringify(body.render_meta.summary)).not.toContain("host");
  const without = removeSection(draft, sectionKey(0));
  expect(looseFields(without).map(({ definition }) => definition.name)).toContain("host");
});

test("sections get names of their own", () => {
  const twice = addSection(addSection(draft, "New part"), "New part");
  expect(twice.sections.slice(-2).map(({ section }) => section.name)).toEqual([
    "new-part",
    "new-part-2",
  ]);
});

test("after saving, everything keeps its key", () => {
  const renamed = changeField(draft, keyOf("host"), { name: "serial-2" });
  const stored = { ...server, ...bodyOf(renamed) };
  const next = storedDraft(stored, renamed);
  expect(next.fields.map(({ key }) => key)).toEqual(draft.fields.map(({ key }) => key));
  expect(next.fields[0]?.stored).toBe("serial-2");
  expect(isSameDraft(next, draftOf(stored))).toBe(true);
});

test("changes that objects notice are named", () => {
  let next = changeField(draft, keyOf("host"), { name: "host-name", required: true });
  next = changeField(next, keyOf("state"), { options: [] });
  next = removeField(next, keyOf("serial"));
  expect(riskyChanges(draft, next).map(({ what, name }) => `${what} ${name}`)).toEqual([
    "renamed host",
    "required host",
    "options state",
    "removed serial",
  ]);
  expect(riskyChanges(draft, changeField(draft, keyOf("host"), { label: "Other" }))).toEqual([]);
});

test("faults land on fields and their keys", () => {
  const faults = typeFaults(draft, [
    { pointer: "/fields/1/options/0/name", detail: "is empty" },
    { pointer: "/name", detail: "is taken" },
  ]);
  expect(faults.fields.get(keyOf("state"))?.get("options")).toBe("is empty");
  expect(faults.type.get("name")).toBe("is taken");
});

test("a text that becomes a choice begins with its values, once", () => {
  const key = keyOf("serial");
  const choice = changeField(draft, key, { type: "select", options: [] });
  const isChoice = ({ type }: { type: string }) => type === "select";
  expect(emptyChoices(choice, isChoice, "is empty")).toEqual([
    { pointer: "/fields/2/options", detail: "is empty" },
  ]);
  const filled = fillOptions(choice, key, "select", ["A 1", "B"]);
  expect(bodyOf(filled).fields[2]?.options).toEqual([
    { name: "A 1", label: "A 1" },
    { name: "B", label: "B" },
  ]);
  expect(emptyChoices(filled, isChoice, "is empty")).toEqual([]);
  // Somebody was faster than the server.
  expect(fillOptions(filled, key, "select", ["C"])).toBe(filled);
  expect(fillOptions(draft, key, "select", ["C"])).toBe(draft);
});

test("what the server says of a change names no call of the API", () => {
  const said = "2 objects hold a value of it: they keep it and become unclean";
  expect(withoutCall(`${said}; PUT /rest/objects/clean/2 removes it`)).toBe(said);
  expect(withoutCall(said)).toBe(said);
});

test("a text with renamed fields is a draft with renamed fields", () => {
  const body = bodyOf(changeField(draft, keyOf("host"), { name: "host-name" }));
  const next = withContent(draft, draft, { ...server, ...body });
  expect(bodyOf(next)).toEqual(body);
  expect(riskyChanges(draft, next).map(({ what }) => what)).toEqual(["renamed"]);
});

test("the name of a link follows its label", () => {
  const key = draft.externals[0]?.key ?? "";
  const next = changeExternal(draft, key, { label: "Monitor" });
  expect(next.externals[0]?.external.name).toBe("monitor");
});

test("names for programs are plain", () => {
  expect(nameFrom("  Größe (in m²) ")).toBe("groesse-in-m2");
  expect(nameFrom("Ćwiczenie")).toBe("cwiczenie");
  expect(nameFrom("名前")).toBe("");
});
