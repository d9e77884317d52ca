/** Login and logout. */
import { client, dataOf } from "./client";

/** The session's token comes in a cookie that scripts cannot read. */
export function logIn(userName: string, password: string): Promise<unknown> {
  const body = { user_name: userName, password, cookie: true };
  return dataOf(client.POST("/rest/auth/login", { body }));
}

export function logOut(): Promise<unknown> {
  return dataOf(client.POST("/rest/auth/logout"));
}

export function endSession(id: string): Promise<unknown> {
  return dataOf(client.DELETE("/rest/auth/sessions/{id}", { params: { path: { id } } }));
}

export function endOtherSessions(): Promise<unknown> {
  const query = { keep_current: true };
  return dataOf(client.DELETE("/rest/auth/sessions", { params: { query } }));
}
