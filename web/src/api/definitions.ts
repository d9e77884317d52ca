/** Types and what defines them: reads of one, and writes. */
import { queryOptions } from "@tanstack/react-query";
import type { TypeBody } from "~/model/typeDraft";
import { client, type Versioned, versionedOf } from "./client";
import type { ObjectType } from "./types";

/** A type with the revision that a change must name. */
export const typeQuery = (id: number) =>
  queryOptions({
    queryKey: ["type", id],
    queryFn: async ({ signal }): Promise<Versioned<ObjectType>> => {
      const params = { path: { public_id: id } };
      const got = await versionedOf(client.GET("/rest/types/{public_id}", { params, signal }));
      return { ...got, data: got.data.result as ObjectType };
    },
    refetchOnMount: "always",
    // An open draft belongs to the revision that it began with.
    refetchOnWindowFocus: false,
  });

/** The name of a user; nothing if the caller may not know it. */
export async function userName(id: number): Promise<string | undefined> {
  const params = { path: { public_id: id } };
  const { data } = await client.GET("/rest/users/{public_id}", { params });
  return data?.result.user_name;
}

/** A type as stored, and what the server finds doubtful about it. */
export interface WrittenType {
  type: ObjectType;
  warnings: readonly { pointer: string; detail: string }[];
  revision: string;
  requestId: string;
}

export async function createType(body: TypeBody): Promise<WrittenType> {
  const { data, ...written } = await versionedOf(client.POST("/rest/types", { body }));
  return { type: data.raw as ObjectType, warnings: data.warnings ?? [], ...written };
}

export async function replaceType(
  id: number,
  body: TypeBody,
  revision: string,
): Promise<WrittenType> {
  const params = { path: { public_id: id }, header: { "If-Match": revision } };
  const { data, ...written } = await versionedOf(
    client.PUT("/rest/types/{public_id}", { params, body }),
  );
  return { type: data.result as ObjectType, warnings: data.warnings ?? [], ...written };
}

export function deleteType(id: number): Promise<Versioned<unknown>> {
  const params = { path: { public_id: id } };
  return versionedOf(client.DELETE("/rest/types/{public_id}", { params }));
}
