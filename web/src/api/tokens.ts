/** Secrets by which programs act for a user. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { Token, TokenBody } from "./records";

const TOKENS = ["tokens"] as const;

/** The tokens of a user, the newest first. */
export const tokensQuery = (user: number) =>
  queryOptions({
    queryKey: [...TOKENS, user],
    queryFn: async ({ signal }): Promise<Token[]> => {
      const query = { filter: JSON.stringify({ user_id: user }), order: -1, limit: 0 };
      const page = await dataOf(client.GET("/rest/tokens", { params: { query }, signal }));
      return page.results;
    },
  });

/** Makes a token and returns its secret, which nobody can read again. */
export const makeTokenMutation = mutationOptions({
  mutationFn: async (body: TokenBody): Promise<string> =>
    (await dataOf(client.POST("/rest/tokens", { body }))).token,
  meta: { invalidates: [TOKENS] },
});

export const revokeTokenMutation = mutationOptions({
  mutationFn: (id: number): Promise<unknown> => {
    const params = { path: { public_id: id } };
    return dataOf(client.DELETE("/rest/tokens/{public_id}", { params }));
  },
  meta: { invalidates: [TOKENS] },
});
