/** Writes of categories. */
import { queryOptions } from "@tanstack/react-query";
import type { CategoryChange } from "~/model/categories";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { Category, CategoryBody } from "./types";

/** A category with its revision. */
export const categoryQuery = (id: number) =>
  queryOptions({
    queryKey: ["categories", id],
    queryFn: async ({ signal }): Promise<Versioned<Category>> => {
      const params = { path: { public_id: id } };
      const read = await versionedOf(
        client.GET("/rest/categories/{public_id}", { params, signal }),
      );
      return { ...read, data: read.data.result };
    },
  });

export async function createCategory(body: CategoryBody): Promise<Versioned<Category>> {
  const written = await versionedOf(client.POST("/rest/categories", { body }));
  return { ...written, data: written.data.raw };
}

/** Changes these members of a category. */
export async function changeCategory(
  id: number,
  body: Partial<CategoryBody>,
  revision: string,
): Promise<Versioned<Category>> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const written = await versionedOf(client.PATCH("/rest/categories/{public_id}", { params, body }));
  return { ...written, data: written.data.result };
}

/** Moves categories and types, all or nothing. */
export function moveCategories(changes: readonly CategoryChange[]): Promise<Versioned<unknown>> {
  const operations = changes.map(({ id, order, ...members }) => ({
    method: "PATCH" as const,
    path: `/categories/${id}`,
    body: { ...members, ...(order === undefined ? {} : { meta: { order } }) },
  }));
  return versionedOf(client.POST("/rest/batch", { body: { operations } }));
}

/** The categories below it move to the top. */
export function deleteCategory(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/categories/{public_id}", { params }));
}

/** Which categories a deletion would move to the top, by their ids. */
export const categoryDeletionQuery = (id: number) =>
  queryOptions({
    queryKey: ["categories", id, "deletion"],
    queryFn: async ({ signal }): Promise<number[]> => {
      const params = { path: { public_id: id }, query: { dry_run: true } };
      const tried = await dataOf(client.DELETE("/rest/categories/{public_id}", { params, signal }));
      const changes = tried.effects?.changes ?? [];
      return changes.flatMap((change) => (change.action === "update" ? change.public_id : []));
    },
    staleTime: 0,
  });
