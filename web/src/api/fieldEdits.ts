/** Edits of single fields, in the order in which they were made. */
import { client, versionedOf } from "./client";
import { changeObject, type Written } from "./objects";
import { problemOf } from "./problem";

/** One field of an object, as the screen showed it. */
export interface FieldEdit {
  id: number;
  name: string;
  before: unknown;
  after: unknown;
}

/** Somebody else changed the same field meanwhile. */
export class FieldConflict extends Error {
  readonly theirs: unknown;

  constructor(theirs: unknown) {
    super("the field was changed meanwhile");
    this.theirs = theirs;
  }
}

/** The last edit of each object; the next one waits for it. */
const queues = new Map<number, Promise<unknown>>();

/** Saves a field. Changes of other fields by somebody else are no obstacle. */
export function saveField(edit: FieldEdit): Promise<Written> {
  const before = queues.get(edit.id) ?? Promise.resolve();
  const saved = before.catch(() => undefined).then(() => save(edit));
  queues.set(edit.id, saved);
  const forget = () => queues.get(edit.id) === saved && queues.delete(edit.id);
  saved.then(forget, forget);
  return saved;
}

const ATTEMPTS = 5;

async function save({ id, name, before, after }: FieldEdit): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    const params = { path: { public_id: id } };
    const { data, revision } = await versionedOf(
      client.GET("/rest/objects/{public_id}/native", { params }),
    );
    const current = data.fields.find((field) => field.name === name)?.value ?? null;
    // It may be there already: the answer to an earlier attempt was lost.
    const isExpected = [before, after].some((value) => isEqual(current, value));
    if (!isExpected) throw new FieldConflict(current);
    try {
      return await changeObject(id, [{ name, value: after as never }], revision);
    } catch (error) {
      if (problemOf(error).status !== 412 || attempt === ATTEMPTS) throw error;
    }
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
