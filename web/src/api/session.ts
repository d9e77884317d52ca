/** Who is logged in, and where. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "./client";
import type { Me } from "./records";

export const meKey = ["me"] as const;

/** Rights change rarely, and all screens need them. */
const FRESH_MS = 60_000;

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }): Promise<Me> => dataOf(client.GET("/rest/auth/me", { signal })),
  staleTime: FRESH_MS,
  retry: false,
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async ({ signal }) =>
    (await dataOf(client.GET("/rest/auth/sessions", { signal }))).sessions,
});

/** The session's token comes in a cookie that scripts cannot read. */
export function logIn(who: { userName: string; password: string }): Promise<unknown> {
  const body = { user_name: who.userName, password: who.password, cookie: true };
  return dataOf(client.POST("/rest/auth/login", { body }));
}

export function logOut(): Promise<unknown> {
  return dataOf(client.POST("/rest/auth/logout"));
}

export const endSessionMutation = mutationOptions({
  mutationFn: (id: string): Promise<unknown> =>
    dataOf(client.DELETE("/rest/auth/sessions/{id}", { params: { path: { id } } })),
  meta: { invalidates: [sessionsQuery.queryKey] },
});

export const endOtherSessionsMutation = mutationOptions({
  mutationFn: (): Promise<unknown> => {
    const query = { keep_current: true };
    return dataOf(client.DELETE("/rest/auth/sessions", { params: { query } }));
  },
  meta: { invalidates: [sessionsQuery.queryKey] },
});
