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
   * Saves a value. `shown` is what the screen has of the cell. While an edit is on its way, that
   * is older than what the next edit replaces.
   */
  async save(cell: string, shown: unknown, after: unknown, write: Write): Promise<Outcome> {
    let failure: { error: unknown } | undefined;
    const before = this.#left.get(cell) ?? Promise.resolve(shown);
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
