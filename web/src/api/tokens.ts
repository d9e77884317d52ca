/** Secrets by which programs act for a user. */
import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { Token, TokenBody } from "./types";

/** The tokens of a user, the newest first. */
export const tokensQuery = (user: number) =>
  queryOptions({
    queryKey: ["tokens", user],
    queryFn: async ({ signal }): Promise<Token[]> => {
      const query = { filter: JSON.stringify({ user_id: user }), order: -1, limit: 0 };
      const page = await dataOf(client.GET("/rest/tokens", { params: { query }, signal }));
      return page.results;
    },
  });

/** Makes a token and returns its secret, which nobody can read again. */
export async function makeToken(body: TokenBody): Promise<string> {
  return (await dataOf(client.POST("/rest/tokens", { body }))).token;
}

export function revokeToken(id: number): Promise<unknown> {
  return dataOf(client.DELETE("/rest/tokens/{public_id}", { params: { path: { public_id: id } } }));
}
