import { expect, test } from "vitest";
import { grants, setActivated, setGrant } from "./typeAccess";
import { bodyOf, draftOf, emptyType } from "./typeDraft";

test("permissions have one order, and a group without any is left out", () => {
  let draft = setActivated(draftOf(emptyType(1, "")), true);
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
