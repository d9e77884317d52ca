/** Users. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { type UserSearch, usersFilter } from "~/model/users";
import { client, dataOf, renewSession, type Versioned, versionedOf } from "./client";
import type { Effects, Page, User, UserBody } from "./records";
import { logIn, meKey, sessionsQuery } from "./session";

export const userKeys = {
  all: ["users"],
  one: (id: number) => ["users", id],
} as const;

export const USERS_SHOWN = 50;

export const usersQuery = (search: UserSearch) => {
  const filter = usersFilter(search);
  const query = {
    sort: "user_name",
    limit: USERS_SHOWN,
    page: search.page ?? 1,
    ...(filter ? { filter } : {}),
  };
  return queryOptions({
    queryKey: [...userKeys.all, "list", query],
    queryFn: async ({ signal }): Promise<Page<User>> => {
      const page = await dataOf(client.GET("/rest/users", { params: { query }, signal }));
      return { results: page.results as User[], total: page.total ?? 0 };
    },
  });
};

/** A user with its revision. */
export const userQuery = (id: number) =>
  queryOptions({
    queryKey: userKeys.one(id),
    queryFn: async ({ signal }): Promise<Versioned<User>> => {
      const params = { path: { public_id: id } };
      const read = await versionedOf(client.GET("/rest/users/{public_id}", { params, signal }));
      return { ...read, data: read.data.result };
    },
  });

/** How many users each group has. */
export const groupSizesQuery = queryOptions({
  queryKey: [...userKeys.all, "sizes"],
  queryFn: async ({ signal }): Promise<Map<number, number>> => {
    const query = { limit: 0, projection: JSON.stringify(["group_id"]) };
    const page = await dataOf(client.GET("/rest/users", { params: { query }, signal }));
    const sizes = new Map<number, number>();
    for (const { group_id } of page.results as { group_id: number }[]) {
      sizes.set(group_id, (sizes.get(group_id) ?? 0) + 1);
    }
    return sizes;
  },
});

/** A written user, and what the server finds doubtful about it. */
export interface WrittenUser extends Versioned<User> {
  warnings: readonly string[];
}

function detailsOf(warnings: readonly { detail: string }[] | null | undefined): string[] {
  return (warnings ?? []).map(({ detail }) => detail);
}

/** Makes a user, or changes members of one. It may be the caller. */
export const saveUserMutation = mutationOptions({
  mutationFn: ({ id, body, revision = "*" }: SavedUser): Promise<WrittenUser> =>
    id === undefined ? createUser(body as UserBody) : changeUser(id, body, revision),
  meta: { invalidates: [userKeys.all, meKey] },
});

interface SavedUser {
  /** Nothing for a new user, whose body is whole. */
  id: number | undefined;
  body: Partial<UserBody>;
  /** Refuses to change another revision; without it, whatever else changed meanwhile stays. */
  revision?: string | undefined;
}

async function createUser(body: UserBody): Promise<WrittenUser> {
  const params = { header: STRICT };
  const written = await versionedOf(client.POST("/rest/users", { params, body }));
  return { ...written, data: written.data.raw, warnings: detailsOf(written.data.warnings) };
}

/** Changes these members of a user. */
async function changeUser(
  id: number,
  body: Partial<UserBody>,
  revision: string,
): Promise<WrittenUser> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const written = await versionedOf(client.PATCH("/rest/users/{public_id}", { params, body }));
  return { ...written, data: written.data.result, warnings: detailsOf(written.data.warnings) };
}

/** A weak password is refused, not only warned of. */
const STRICT = { Prefer: "handling=strict" };

/** Ends all sessions of the user. The caller's own password needs the old one. */
async function setPassword(id: number, password: string, oldPassword?: string): Promise<void> {
  const params = { path: { public_id: id }, header: STRICT };
  const body = { password, ...(oldPassword === undefined ? {} : { old_password: oldPassword }) };
  await dataOf(client.PATCH("/rest/users/{public_id}/password", { params, body }));
}

/** A new password ends all sessions of its user, so this one begins anew with it. */
export const changeOwnPasswordMutation = (user: User) =>
  mutationOptions({
    mutationFn: ({ before, after }: { before: string; after: string }) =>
      renewSession(async () => {
        await setPassword(user.public_id, after, before);
        await logIn({ userName: user.user_name, password: after });
      }),
    meta: { invalidates: [sessionsQuery.queryKey] },
  });

/** A new password for somebody else. */
export const setPasswordMutation = (id: number) =>
  mutationOptions({
    mutationFn: (password: string) => setPassword(id, password),
    meta: { invalidates: [userKeys.one(id)] },
  });

export const deleteUserMutation = (id: number) =>
  mutationOptions({
    mutationFn: (): Promise<Versioned<unknown>> => {
      const params = { path: { public_id: id } };
      return versionedOf(client.DELETE("/rest/users/{public_id}", { params }));
    },
    meta: { removes: [userKeys.one(id)], invalidates: [userKeys.all] },
  });

/** What a deletion would do, without doing it. */
export const userDeletionQuery = (id: number) =>
  queryOptions({
    queryKey: [...userKeys.one(id), "deletion"],
    queryFn: async ({ signal }): Promise<Effects | undefined> => {
      const params = { path: { public_id: id }, query: { dry_run: true } };
      const tried = await dataOf(client.DELETE("/rest/users/{public_id}", { params, signal }));
      return tried.effects ?? undefined;
    },
    staleTime: 0,
  });

/** The names of the users of these ids that still exist. */
export const userNamesQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: [...userKeys.all, "names", ids],
    queryFn: async ({ signal }): Promise<Map<number, string>> => {
      const body = {
        filter: JSON.stringify({ public_id: { $in: ids } }),
        projection: JSON.stringify(["public_id", "user_name"]),
        limit: 0,
      };
      const page = await dataOf(client.POST("/rest/users/query", { body, signal }));
      const users = page.results as Pick<User, "public_id" | "user_name">[];
      return new Map(users.map(({ public_id, user_name }) => [public_id, user_name]));
    },
    enabled: ids.length > 0,
  });

/** The name of a user; null if the caller may not know it. */
export const userNameQuery = (id: number) =>
  queryOptions({
    queryKey: [...userKeys.one(id), "name"],
    queryFn: async ({ signal }): Promise<string | null> => {
      const params = { path: { public_id: id } };
      const { data } = await client.GET("/rest/users/{public_id}", { params, signal });
      return data?.result.user_name ?? null;
    },
  });
