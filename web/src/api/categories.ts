/** Categories of types. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { applyMoves, type CategoryChange } from "~/model/categories";
import { client, dataOf, type Versioned, versionedOf } from "./client";
import type { Category, CategoryBody } from "./records";

const categoryKeys = {
  all: ["categories"],
  one: (id: number) => ["categories", id],
} as const;

/** Categories change rarely, and the side bar needs them all the time. */
const FRESH_MS = 60_000;

export const categoriesQuery = queryOptions({
  queryKey: categoryKeys.all,
  queryFn: async ({ signal }): Promise<Category[]> => {
    const query = { limit: 0 };
    const page = await dataOf(client.GET("/rest/categories", { params: { query }, signal }));
    return page.results as Category[];
  },
  staleTime: FRESH_MS,
});

/** A category with its revision. */
export const categoryQuery = (id: number) =>
  queryOptions({
    queryKey: categoryKeys.one(id),
    queryFn: async ({ signal }): Promise<Versioned<Category>> => {
      const params = { path: { public_id: id } };
      const read = await versionedOf(
        client.GET("/rest/categories/{public_id}", { params, signal }),
      );
      return { ...read, data: read.data.result };
    },
  });

/** Which categories a deletion would move to the top, by their ids. */
export const categoryDeletionQuery = (id: number) =>
  queryOptions({
    queryKey: [...categoryKeys.one(id), "deletion"],
    queryFn: async ({ signal }): Promise<number[]> => {
      const params = { path: { public_id: id }, query: { dry_run: true } };
      const tried = await dataOf(client.DELETE("/rest/categories/{public_id}", { params, signal }));
      const changes = tried.effects?.changes ?? [];
      return changes.flatMap((change) => (change.action === "update" ? change.public_id : []));
    },
    staleTime: 0,
  });

/** Makes a category, or changes members of one. */
export const saveCategoryMutation = mutationOptions({
  mutationFn: ({ id, body }: { id: number | undefined; body: CategoryBody }) =>
    // A dialog is short: what others changed meanwhile in other members stays.
    id === undefined ? createCategory(body) : changeCategory(id, body, "*"),
  meta: { invalidates: [categoryKeys.all] },
});

async function createCategory(body: CategoryBody): Promise<Versioned<Category>> {
  const written = await versionedOf(client.POST("/rest/categories", { body }));
  return { ...written, data: written.data.raw };
}

/** Changes these members of a category. */
async function changeCategory(
  id: number,
  body: Partial<CategoryBody>,
  revision: string,
): Promise<Versioned<Category>> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const written = await versionedOf(client.PATCH("/rest/categories/{public_id}", { params, body }));
  return { ...written, data: written.data.result };
}

/** Moves categories and types. The tree shows them at once; a refusal takes them back. */
export const moveCategoriesMutation = mutationOptions({
  mutationFn: ({ changes }: { changes: readonly CategoryChange[]; name: string }) =>
    moveCategories(changes),
  onMutate: async ({ changes }, { client: queries }) => {
    const { queryKey } = categoriesQuery;
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (before) => before && applyMoves(before, changes));
  },
  meta: { invalidates: [categoryKeys.all], evenIfRefused: true },
});

/** All or nothing. */
function moveCategories(changes: readonly CategoryChange[]): Promise<Versioned<unknown>> {
  const operations = changes.map(({ id, order, ...members }) => ({
    method: "PATCH" as const,
    path: `/categories/${id}`,
    body: { ...members, ...(order === undefined ? {} : { meta: { order } }) },
  }));
  return versionedOf(client.POST("/rest/batch", { body: { operations } }));
}

/** The categories below it move to the top. */
export const deleteCategoryMutation = (id: number) =>
  mutationOptions({
    mutationFn: (): Promise<Versioned<unknown>> => {
      const params = { path: { public_id: id } };
      return versionedOf(client.DELETE("/rest/categories/{public_id}", { params }));
    },
    meta: { removes: [categoryKeys.one(id)], invalidates: [categoryKeys.all] },
  });
