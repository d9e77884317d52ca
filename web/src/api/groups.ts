/** Groups and their rights. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import { EVERYTHING } from "./queryClient";
import type { Effects, Group, Right } from "./records";
import { meKey } from "./session";

const groupKeys = {
  all: ["groups"],
  one: (id: number) => ["groups", id],
} as const;

const DEFINITIONS_FRESH_MS = 60_000;

export const groupsQuery = queryOptions({
  queryKey: [...groupKeys.all, "list"],
  queryFn: async ({ signal }): Promise<Group[]> => {
    const query = { limit: 0, sort: "label" };
    const page = await dataOf(client.GET("/rest/groups", { params: { query }, signal }));
    return page.results;
  },
});

/** A group with its revision. */
export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: groupKeys.one(id),
    queryFn: async ({ signal }): Promise<Versioned<Group>> => {
      const params = { path: { public_id: id } };
      const read = await versionedOf(client.GET("/rest/groups/{public_id}", { params, signal }));
      return { ...read, data: read.data.result };
    },
  });

/** All rights, masters before those that they include. */
export const rightsQuery = queryOptions({
  queryKey: ["rights"],
  queryFn: async ({ signal }): Promise<Right[]> => {
    const query = { limit: 0, view: "tree" as const };
    const tree = await dataOf(client.GET("/rest/rights", { params: { query }, signal }));
    return (tree.results as unknown[]).flat(Number.POSITIVE_INFINITY) as Right[];
  },
  staleTime: DEFINITIONS_FRESH_MS,
});

/** The names of the security levels by their numbers. */
export const levelsQuery = queryOptions({
  queryKey: ["rights", "levels"],
  queryFn: async ({ signal }): Promise<Map<number, string>> => {
    const levels = await dataOf(client.GET("/rest/rights/levels", { signal }));
    return new Map(Object.entries(levels.result).map(([name, level]) => [Number(level), name]));
  },
  staleTime: DEFINITIONS_FRESH_MS,
});

export interface GroupDraft {
  name: string;
  label: string;
  rights: string[];
}

/** Makes a group, or changes members of one. It may be the group of the caller. */
export const saveGroupMutation = mutationOptions({
  mutationFn: ({ id, body, revision = "*" }: SavedGroup): Promise<Versioned<Group>> =>
    id === undefined ? createGroup(body as GroupDraft) : changeGroup(id, body, revision),
  meta: { invalidates: [groupKeys.all, meKey] },
});

interface SavedGroup {
  /** Nothing for a new group, whose body is whole. */
  id: number | undefined;
  body: Partial<GroupDraft>;
  revision?: string | undefined;
}

async function createGroup(draft: GroupDraft): Promise<Versioned<Group>> {
  const body = { ...draft, label: draft.label || null };
  const written = await versionedOf(client.POST("/rest/groups", { body }));
  return { ...written, data: written.data.raw };
}

/** Changes these members of a group. */
async function changeGroup(
  id: number,
  body: Partial<GroupDraft>,
  revision: string,
): Promise<Versioned<Group>> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const written = await versionedOf(client.PATCH("/rest/groups/{public_id}", { params, body }));
  return { ...written, data: written.data.result };
}

/** What becomes of the users of a deleted group: they move to another one, or go with it. */
export type UsersOfDeleted = { action: "MOVE"; group_id: number } | { action: "DELETE" };

export const deleteGroupMutation = (id: number) =>
  mutationOptions({
    mutationFn: (users: UsersOfDeleted): Promise<unknown> => {
      const params = { path: { public_id: id }, query: users };
      return dataOf(client.DELETE("/rest/groups/{public_id}", { params }));
    },
    meta: { removes: [groupKeys.one(id)], invalidates: [EVERYTHING] },
  });

/** What a deletion would do, without doing it. */
export const groupDeletionQuery = (id: number, users: UsersOfDeleted) =>
  queryOptions({
    queryKey: [...groupKeys.one(id), "deletion", users],
    queryFn: async ({ signal }): Promise<Effects | undefined> => {
      const params = { path: { public_id: id }, query: { ...users, dry_run: true } };
      const tried = await dataOf(client.DELETE("/rest/groups/{public_id}", { params, signal }));
      return tried.effects ?? undefined;
    },
    staleTime: 0,
  });
