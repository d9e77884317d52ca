/** Reads and writes of users. */
import { queryOptions } from "@tanstack/react-query";
import { type UserSearch, usersFilter } from "~/model/users";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { Effects, Page, User, UserBody } from "./types";

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
    queryKey: ["users", "list", query],
    queryFn: async ({ signal }): Promise<Page<User>> => {
      const page = await dataOf(client.GET("/rest/users", { params: { query }, signal }));
      return { results: page.results as User[], total: page.total ?? 0 };
    },
  });
};

/** A user with its revision. */
export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ["users", id],
    queryFn: async ({ signal }): Promise<Versioned<User>> => {
      const params = { path: { public_id: id } };
      const read = await versionedOf(client.GET("/rest/users/{public_id}", { params, signal }));
      return { ...read, data: read.data.result };
    },
  });

/** How many users each group has. */
export const groupSizesQuery = queryOptions({
  queryKey: ["users", "sizes"],
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

export async function createUser(body: UserBody): Promise<WrittenUser> {
  const params = { header: STRICT };
  const written = await versionedOf(client.POST("/rest/users", { params, body }));
  return { ...written, data: written.data.raw, warnings: detailsOf(written.data.warnings) };
}

/** Changes these members of a user. */
export async function changeUser(
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
export async function setPassword(
  id: number,
  password: string,
  oldPassword?: string,
): Promise<void> {
  const params = { path: { public_id: id }, header: STRICT };
  const body = { password, ...(oldPassword === undefined ? {} : { old_password: oldPassword }) };
  await dataOf(client.PATCH("/rest/users/{public_id}/password", { params, body }));
}

export function deleteUser(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/users/{public_id}", { params }));
}

/** What a deletion would do, without doing it. */
export const userDeletionQuery = (id: number) =>
  queryOptions({
    queryKey: ["users", id, "deletion"],
    queryFn: async ({ signal }): Promise<Effects | undefined> => {
      const params = { path: { public_id: id }, query: { dry_run: true } };
      const tried = await dataOf(client.DELETE("/rest/users/{public_id}", { params, signal }));
      return tried.effects ?? undefined;
    },
    staleTime: 0,
  });
