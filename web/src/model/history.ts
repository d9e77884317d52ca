/** What changed between two revisions, as people name it. */

export interface FieldDifference {
  path: string;
  /** The field's name; nothing for what every object has, such as `active`. */
  name: string | undefined;
  before: unknown;
  after: unknown;
}

interface ChangedPath {
  path: string;
  before?: unknown;
  after?: unknown;
}

/** Every write sets these. */
const ALWAYS_SET = new Set(["last_edit_time", "editor_id"]);
const FIELD = "fields.";
/** The only member of a time. */
const TIME = ".$date";

/** Leaves out what says nothing: when a write was made, and what all of a new object began with. */
export function fieldDifferences(changes: readonly ChangedPath[]): FieldDifference[] {
  const whole = changes.find(({ path }) => path === "fields");
  // A new or deleted object differs in everything; its fields are what people look for.
  if (whole) return wholeDifferences(whole);
  return changes
    .map(timeDifference)
    .filter(({ path }) => !ALWAYS_SET.has(path))
    .map(({ path, before, after }) => ({
      path,
      name: path.startsWith(FIELD) ? path.slice(FIELD.length) : undefined,
      before,
      after,
    }));
}

/** A time that became another one is listed by its member. */
function timeDifference({ path, before, after }: ChangedPath): ChangedPath {
  if (!path.endsWith(TIME)) return { path, before, after };
  return { path: path.slice(0, -TIME.length), before: timeOf(before), after: timeOf(after) };
}

function timeOf(value: unknown) {
  return value === null || value === undefined ? value : { $date: value };
}

function wholeDifferences({ before, after }: ChangedPath): FieldDifference[] {
  const old = valuesOf(before);
  const fresh = valuesOf(after);
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((name) => ({
      path: FIELD + name,
      name,
      before: old.get(name) ?? null,
      after: fresh.get(name) ?? null,
    }))
    .filter(({ before, after }) => !isSame(before, after));
}

function valuesOf(fields: unknown): Map<string, unknown> {
  if (!Array.isArray(fields)) return new Map();
  return new Map(fields.map(({ name, value }) => [String(name), value]));
}

/** Whether two values of a field mean the same. A field that is missing has no value. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
