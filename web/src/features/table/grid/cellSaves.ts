/** The edits of one cell, one after another: each begins from what the one before left. */

/** Writes a value over the one that is stored. Answers what is stored; throws if it is refused. */
export type Write = (before: unknown, after: unknown) => Promise<unknown>;

export interface Outcome {
  /** Whether no later edit of the cell is on its way, so that its state is that of this one. */
  isLast: boolean;
  error?: unknown;
}

export class CellSaves {
  /** The value that each cell will have once its edits are done. */
  readonly #left = new Map<string, Promise<unknown>>();

  /**
   * What an edit that begins now replaces. `shown` is what the screen has of the cell: while an
   * edit is on its way, that is older.
   */
  stored(cell: string, shown: unknown): Promise<unknown> {
    return this.#left.get(cell) ?? Promise.resolve(shown);
  }

  /** Saves a value over that which was stored as the edit began, or that of an edit since then. */
  async save(
    cell: string,
    stored: Promise<unknown>,
    after: unknown,
    write: Write,
  ): Promise<Outcome> {
    let failure: { error: unknown } | undefined;
    const before = this.#left.get(cell) ?? stored;
    const left = before.then(async (stored) => {
      if (isSame(stored, after)) return stored;
      try {
        return await write(stored, after);
      } catch (error) {
        failure = { error };
        return stored;
      }
    });
    this.#left.set(cell, left);
    await left;
    const isLast = this.#left.get(cell) === left;
    if (isLast) this.#left.delete(cell);
    return { isLast, ...failure };
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
