import { expect, test } from "vitest";
import type { User } from "~/api/records";
import { changedMembers, fullName, userDraft, userSearch, usersFilter } from "./users";

test("an address that makes no sense shows all users", () => {
  expect(userSearch({ text: "", state: "asleep", group: "x", page: 0 })).toEqual({});
  expect(userSearch({ text: 42, state: "inactive", group: 3, page: 2 })).toEqual({
    text: "42",
    state: "inactive",
    group: 3,
    page: 2,
  });
});

test("every word must be in some name", () => {
  expect(usersFilter({})).toBeUndefined();
  const filter = JSON.parse(usersFilter({ text: "ann o.", state: "active" }) ?? "");
  expect(filter.$and).toHaveLength(3);
  expect(filter.$and[1].$or[0]).toEqual({ user_name: { $regex: "o\\.", $options: "i" } });
  expect(filter.$and[2]).toEqual({ active: true });
});

test("a name leaves out what is not known", () => {
  expect(fullName({ first_name: "Ada", last_name: null })).toBe("Ada");
  expect(fullName({ first_name: null, last_name: null })).toBe("");
});

test("only what was changed is sent, and empty texts are null", () => {
  const user = {
    public_id: 3,
    user_name: "ada",
    first_name: "Ada",
    last_name: null,
    email: "ada@example.org",
    group_id: 2,
  } as User;
  const draft = { ...userDraft(user, 2), email: "", group_id: 4 };
  expect(changedMembers(user, userDraft(user, 2))).toEqual({});
  expect(changedMembers(user, draft)).toEqual({ email: null, group_id: 4 });
});
