/** When a screen shows an object, and how its address says that. */
import { OBJECT_TABS, type ObjectTab } from "./object";

/** The parameters of an object's address. */
export interface ObjectSearch {
  tab?: ObjectTab;
  /** Shows the object right after the change that led to this revision. */
  revision?: number;
  /** Shows the object at a time: ISO 8601, UTC without a zone. */
  as_of?: string;
}

/** A state in the past. */
export type Moment = { revision: number } | { asOf: string };

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/;

/** Reads an address. What cannot be read is left out; a revision is more exact than a time. */
export function objectSearch({ tab, revision, as_of }: Record<string, unknown>): ObjectSearch {
  const known = OBJECT_TABS.find((name) => name === tab);
  const isRevision = Number.isSafeInteger(revision) && Number(revision) > 0;
  return {
    ...(known && known !== "overview" ? { tab: known } : {}),
    ...(isRevision ? { revision: Number(revision) } : {}),
    ...(!isRevision && isTime(as_of) ? { as_of: String(as_of) } : {}),
  };
}

/** There is no 13th month. */
function isTime(value: unknown): boolean {
  return TIME.test(String(value)) && !Number.isNaN(dateOfApi(String(value)).getTime());
}

/** The state that an address asks for; nothing for that of now. */
export function momentOf({ revision, as_of }: ObjectSearch): Moment | undefined {
  if (revision !== undefined) return { revision };
  return as_of === undefined ? undefined : { asOf: as_of };
}

/** A time of the API. */
export function dateOfApi(time: string): Date {
  return new Date(`${time}Z`);
}

/** A time of the API as a control for local times has it. */
export function localTime(time: string): string {
  const date = dateOfApi(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The reverse; nothing if the control is not filled. */
export function apiTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace("Z", "");
}
