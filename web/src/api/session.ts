/** Who is logged in, and where. */
import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { client, dataOf, serverUrl } from "./client";
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
export async function logIn(who: { userName: string; password: string }): Promise<void> {
  const body = { user_name: who.userName, password: who.password, cookie: true };
  await dataOf(client.POST("/rest/auth/login", { body }));
  otherTabs?.postMessage("login" satisfies SessionChange);
}

export async function logOut(): Promise<void> {
  await dataOf(client.POST("/rest/auth/logout"));
  otherTabs?.postMessage("logout" satisfies SessionChange);
}

type SessionChange = "login" | "logout";

/** All tabs have the same cookie. Units have no tabs. */
const otherTabs = globalThis.document && new BroadcastChannel(`session of ${serverUrl.pathname}`);

/** Calls `listener` when somebody logs in or out in another tab. Returns what ends that. */
export function onSessionChange(listener: (change: SessionChange) => void): () => void {
  const listen = ({ data }: MessageEvent<SessionChange>) => listener(data);
  otherTabs?.addEventListener("message", listen);
  return () => otherTabs?.removeEventListener("message", listen);
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
