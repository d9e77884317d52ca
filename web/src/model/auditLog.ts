/** The audit log: its address, and its filters in the language of the API. */
import type { Change, RightName } from "~/api/records";
import type { Rights } from "./rights";

export const RESOURCES = [
  "object",
  "type",
  "category",
  "view",
  "source",
  "user",
  "group",
  "setting",
  "token",
] as const;
export const ACTIONS = ["insert", "update", "state", "clean", "delete", "restore"] as const;
export const CHANNELS = ["session", "token", "command-line", "service"] as const;
export const LOGIN_RESULTS = ["success", "failure", "throttled"] as const;

/** What the log shows, as in its address. */
export interface AuditSearch {
  /** Logins instead of changes. */
  view?: "logins";
  resource?: (typeof RESOURCES)[number];
  /** The id of the record. */
  id?: number;
  /** The id of an object's type. */
  type?: number;
  action?: (typeof ACTIONS)[number];
  /** Who changed something, or logged in. */
  actor?: number;
  via?: (typeof CHANNELS)[number];
  /** The id of a request. */
  request?: string;
  /** Days of the reader, such as 2026-01-31; both are included. */
  from?: string;
  to?: string;
  result?: (typeof LOGIN_RESULTS)[number];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads an address. What cannot be read is left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const oneOf = <T extends string>(key: string, values: readonly T[]) =>
    values.includes(search[key] as T) ? { [key]: search[key] as T } : {};
  const id = (key: string) => (isId(search[key]) ? { [key]: search[key] } : {});
  const day = (key: string) => (isDay(search[key]) ? { [key]: search[key] } : {});
  const { request } = search;
  return {
    ...oneOf("view", ["logins"]),
    ...oneOf("resource", RESOURCES),
    ...id("id"),
    ...id("type"),
    ...oneOf("action", ACTIONS),
    ...(search["actor"] === 0 ? { actor: 0 } : id("actor")),
    ...oneOf("via", CHANNELS),
    // The router reads a text of digits as a number.
    ...(request === undefined || request === "" ? {} : { request: String(request) }),
    ...day("from"),
    ...day("to"),
    ...oneOf("result", LOGIN_RESULTS),
  };
}

/** There is no 13th month. */
function isDay(value: unknown): boolean {
  return DAY.test(String(value)) && !Number.isNaN(Date.parse(String(value)));
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** The filter of changes. */
export function changesFilter(search: AuditSearch): string {
  const { resource, id, type, action, actor, via, request } = search;
  // A setting has no id of its own, but that of its user.
  const record = resource === "setting" ? { user_id: id } : { public_id: id };
  return JSON.stringify({
    resource: type === undefined ? resource : "object",
    ...record,
    type_id: type,
    action,
    actor,
    via,
    request_id: request,
    at: timeFilter(search),
  });
}

/** The filter of logins. */
export function loginsFilter(search: AuditSearch): string {
  const { actor, result } = search;
  return JSON.stringify({ user_id: actor, result, at: timeFilter(search) });
}

function timeFilter({ from, to }: AuditSearch) {
  if (!from && !to) return undefined;
  return { $gte: from && utc(from, 0), $lt: to && utc(to, 1) };
}

/** The beginning of a day of the reader, or of one after it, in UTC as the API writes it. */
function utc(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString().replace("Z", "");
}

/** The ids of all objects and users that these changes name. */
export function namedIn(changes: readonly Change[]): { objects: number[]; users: number[] } {
  const objects = new Set<number>();
  const users = new Set<number>();
  for (const { resource, public_id, user_id, actor } of changes) {
    if (resource === "object" && public_id) objects.add(public_id);
    if (resource === "user" && public_id) users.add(public_id);
    if (user_id) users.add(user_id);
    if (actor) users.add(actor);
  }
  const sorted = (ids: Set<number>) => [...ids].toSorted((left, right) => left - right);
  return { objects: sorted(objects), users: sorted(users) };
}

/** Any of these rights restores a record of a resource. */
const RESTORED_WITH: Record<string, readonly RightName[]> = {
  object: ["base.framework.object.edit", "base.framework.object.add"],
  type: ["base.framework.type.edit", "base.framework.type.add"],
  category: ["base.framework.category.edit", "base.framework.category.add"],
  user: ["base.user-management.user.edit", "base.user-management.user.add"],
  group: ["base.user-management.group.edit", "base.user-management.group.add"],
  source: ["base.import.object.*"],
};

/** Whether these rights let the caller restore such a record; the server has the last word. */
export function mayRestore(resource: string, rights: Rights): boolean {
  if (resource === "setting" || resource === "view") return true;
  return RESTORED_WITH[resource]?.some((right) => rights.has(right)) ?? false;
}
