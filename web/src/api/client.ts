import createClient, { type Client } from "openapi-fetch";
import { parseJson } from "~/model/json";
import { Problem } from "./problem";
import type { paths } from "./schema";

/** The server that this page came from. Its address ends with a slash. Units have no page. */
export const serverUrl = new URL(".", globalThis.document?.baseURI ?? "http://localhost/");

/** The API. The browser adds the session's cookie. */
export const client = withExactNumbers(
  createClient<paths, "application/json">({
    baseUrl: serverUrl.href.replace(/\/$/, ""),
    credentials: "same-origin",
  }),
);

/** The requests of this tab have ids that begin with this, so that it knows its own changes. */
const TAB = [...crypto.getRandomValues(new Uint32Array(2))]
  .map((part) => part.toString(36))
  .join("");
let requests = 0;

/** The id of the next write of this tab. */
export function nextRequestId(): string {
  requests += 1;
  return `${TAB}-${requests}`;
}

/** Whether this tab sent the request, and not another one of the same user. */
export function isOwnRequest(id: string): boolean {
  return id.startsWith(`${TAB}-`);
}

client.use({
  onRequest: ({ request }) => {
    const needsId = request.method !== "GET" && !request.headers.has("X-Request-Id");
    if (needsId) request.headers.set("X-Request-Id", nextRequestId());
    return request;
  },
});

/** The library would round integers beyond 2^53, so it reads texts, and this the JSON in them. */
function withExactNumbers<T extends Client<paths, "application/json">>(plain: T): T {
  type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  type Send = (path: string, init?: object) => Promise<{ data?: unknown }>;
  const exact = (method: Method): Send => {
    const send = plain[method] as Send;
    return async (path, init) => {
      const answer = await send(path, { ...init, parseAs: "text" });
      return typeof answer.data === "string" ? { ...answer, data: read(answer.data) } : answer;
    };
  };
  const methods: Method[] = ["GET", "PUT", "POST", "DELETE", "PATCH"];
  return { ...plain, ...Object.fromEntries(methods.map((name) => [name, exact(name)])) };
}

function read(text: string): unknown {
  return text === "" ? undefined : parseJson(text);
}

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls `listener` whenever an answer says that there is no session. Returns what ends that. */
export function onSessionEnd(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let renewals = 0;

/** Replaces the session by another one. Until then, nobody is told that the old one has ended. */
export async function renewSession<T>(renew: () => Promise<T>): Promise<T> {
  renewals += 1;
  try {
    return await renew();
  } finally {
    renewals -= 1;
  }
}

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** The data of a successful answer; throws a `Problem` for any other. */
export async function dataOf<T>(answer: Answer<T>): Promise<T> {
  return (await versionedOf(answer)).data;
}

export interface Versioned<T> {
  data: T;
  /** The record's revision; a write sends it back as `If-Match`. */
  revision: string;
  /** What undoes a write. */
  requestId: string;
}

export async function versionedOf<T>(answer: Answer<T>): Promise<Versioned<T>> {
  const { data, error, response } = await answer;
  if (response.ok && data !== undefined) {
    const { headers } = response;
    return {
      data,
      revision: headers.get("etag") ?? "*",
      requestId: headers.get("x-request-id") ?? "",
    };
  }
  if (response.status === 401 && !response.url.endsWith("/rest/auth/login") && renewals === 0) {
    for (const listener of listeners) listener();
  }
  throw new Problem(response.status, typeof error === "object" && error ? error : undefined);
}
