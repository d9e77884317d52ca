/** Users: their names, and the list's address. */
import type { User, UserBody } from "~/api/records";
import { escapeRegex } from "./filter/operand";

/** What the list of users shows, as in its address. */
export interface UserSearch {
  text?: string;
  state?: "active" | "inactive";
  group?: number;
  page?: number;
}

/** Reads an address. What cannot be read is left out. */
export function userSearch(search: Record<string, unknown>): UserSearch {
  const { text, state, group, page } = search;
  return {
    ...(isText(text) ? { text: String(text) } : {}),
    ...(state === "active" || state === "inactive" ? { state } : {}),
    ...(isId(group) ? { group } : {}),
    ...(isId(page) && page > 1 ? { page } : {}),
  };
}

/** The router reads a text of digits as a number. */
function isText(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

const SEARCHED = ["user_name", "first_name", "last_name", "email"];

/** The filter of the API; nothing if all users match. */
export function usersFilter({ text, state, group }: UserSearch): string | undefined {
  const contains = (word: string) => ({
    $or: SEARCHED.map((member) => ({ [member]: { $regex: escapeRegex(word), $options: "i" } })),
  });
  const parts: unknown[] = (text ?? "").split(/\s+/).filter(Boolean).map(contains);
  if (state) parts.push({ active: state === "active" });
  if (group !== undefined) parts.push({ group_id: group });
  return parts.length === 0 ? undefined : JSON.stringify({ $and: parts });
}

/** First and last name, as far as they are known. */
export function fullName({ first_name, last_name }: Pick<User, "first_name" | "last_name">) {
  return [first_name, last_name].filter(Boolean).join(" ");
}

/** What a form changes of a user. */
export interface UserDraft {
  user_name: string;
  first_name: string;
  last_name: string;
  email: string;
  group_id: number;
  /** These two only of a new user; a service account has no password. */
  password: string;
  is_service: boolean;
}

export function userDraft(user: User | undefined, defaultGroup: number): UserDraft {
  return {
    user_name: user?.user_name ?? "",
    first_name: user?.first_name ?? "",
    last_name: user?.last_name ?? "",
    email: user?.email ?? "",
    group_id: user?.group_id ?? defaultGroup,
    password: "",
    is_service: false,
  };
}

const NULLABLE: readonly string[] = ["first_name", "last_name", "email"];

/** The members of the draft that differ from the user; empty texts are null there. */
export function changedMembers(user: User, draft: UserDraft): Partial<UserBody> {
  const { password: _, is_service: __, ...before } = userDraft(user, user.group_id);
  const changed = Object.entries(before).flatMap(([member, value]) => {
    const after = draft[member as keyof UserDraft];
    if (after === value) return [];
    return [[member, after === "" && NULLABLE.includes(member) ? null : after]];
  });
  return Object.fromEntries(changed);
}

/** A new user; empty texts are null there. */
export function userBody(draft: UserDraft): UserBody {
  const { first_name, last_name, email, password, is_service, ...rest } = draft;
  return {
    ...rest,
    ...(is_service ? { is_service } : { password }),
    first_name: first_name || null,
    last_name: last_name || null,
    email: email || null,
  };
}
