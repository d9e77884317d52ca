import { expect, test } from "vitest";
import { grants, lostAccess, permittedBy, setActivated, setGrant } from "./typeAccess";
import { bodyOf, draftOf, emptyType } from "./typeDraft";

test("permissions have one order, and a group without any is left out", () => {
  let draft = setActivated(draftOf(emptyType(1, "")), true, []);
  draft = setGrant(draft, "2", "UPDATE", true);
  draft = setGrant(draft, "2", "READ", true);
  expect(bodyOf(draft).acl).toEqual({
    activated: true,
    groups: { includes: { "2": ["READ", "UPDATE"] } },
  });
  expect(grants(draft, "2", "READ")).toBe(true);
  draft = setGrant(setGrant(draft, "2", "READ", false), "2", "UPDATE", false);
  expect(bodyOf(draft).acl.groups.includes).toEqual({});
});

const groups = [
  { id: "1", label: "Administrator", may: permittedBy(["base.*"]) },
  { id: "4", label: "Auditors", may: permittedBy(["base.framework.object.view"]) },
  { id: "7", label: "Guests", may: permittedBy(["base.framework.type.view"]) },
];

test("a list that is turned on begins with what groups may do already", () => {
  const before = draftOf(emptyType(1, ""));
  const draft = setActivated(before, true, groups);
  expect(bodyOf(draft).acl.groups.includes).toEqual({
    "1": ["CREATE", "READ", "UPDATE", "DELETE"],
    "4": ["READ"],
  });
  expect(lostAccess(before, draft, groups)).toEqual([]);
  // What somebody chose before stays.
  const chosen = setGrant(before, "4", "READ", true);
  expect(bodyOf(setActivated(chosen, true, groups)).acl.groups.includes).toEqual({ "4": ["READ"] });
});

test("groups that lose access are named, with what they could do", () => {
  const before = draftOf(emptyType(1, ""));
  const draft = setGrant(setActivated(before, true, groups), "4", "READ", false);
  const narrow = setGrant(draft, "1", "DELETE", false);
  expect(lostAccess(before, narrow, groups)).toEqual([
    { label: "Administrator", lost: ["DELETE"] },
    { label: "Auditors", lost: ["READ"] },
  ]);
  expect(lostAccess(narrow, before, groups)).toEqual([]);
});
