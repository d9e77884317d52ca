/** What this tab wrote, for Ctrl-Z. */

/** Takes back what a request wrote, and answers the id of the request that did so. */
type Revert = (requestId: string) => Promise<string>;

/** Older requests are taken back in the history. */
const KEPT = 100;

/** Requests that can be taken back one after another, and done again. */
export class UndoStack {
  readonly #revert: Revert;
  #done: readonly string[] = [];
  #undone: readonly string[] = [];
  /** Writes and undos, in the order in which people asked for them. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(revert: Revert) {
    this.#revert = revert;
  }

  /** A new write ends what could be done again. */
  add(requestId: string) {
    this.#done = [...this.#done, requestId].slice(-KEPT);
    this.#undone = [];
  }

  /** Another screen begins anew. */
  clear() {
    this.#done = [];
    this.#undone = [];
  }

  /** Whoever undoes means the write that they began last, even if it is still on its way. */
  waitFor(write: Promise<unknown>) {
    this.#queue(() => write).catch(() => undefined);
  }

  /** Takes back this request, or the last one. Answers false if there is none. */
  undo(requestId?: string): Promise<boolean> {
    return this.#queue(async () => {
      const wanted = requestId ?? this.#done.at(-1);
      if (wanted === undefined) return false;
      // What cannot be taken back must not bar the way to what was done before it.
      this.#done = this.#done.filter((other) => other !== wanted);
      const undoing = await this.#revert(wanted);
      this.#undone = [...this.#undone, undoing].slice(-KEPT);
      return true;
    });
  }

  /** Does again what was taken back last. Answers false if there is nothing. */
  redo(): Promise<boolean> {
    return this.#queue(async () => {
      const undoing = this.#undone.at(-1);
      if (undoing === undefined) return false;
      this.#undone = this.#undone.slice(0, -1);
      const redoing = await this.#revert(undoing);
      this.#done = [...this.#done, redoing].slice(-KEPT);
      return true;
    });
  }

  #queue<T>(next: () => Promise<T>): Promise<T> {
    const run = this.#last.catch(() => undefined).then(next);
    this.#last = run;
    return run;
  }
}
