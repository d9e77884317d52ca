import type { components } from "./schema";

type ProblemDocument = components["schemas"]["ProblemDocument"];

/** A fault at one place of a request's body. */
export interface Fault {
  /** A JSON Pointer into the body, or the name of a parameter. */
  pointer: string;
  detail: string;
}

/** A change that would be overwritten. */
export interface Conflict {
  resource: string;
  public_id?: number | null;
  revision: number;
  action: string;
  actor: number;
  at: string;
}

/** An answer that is not a success. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly faults: readonly Fault[];
  readonly conflicts: readonly Conflict[];
  /** The object that has values which only one may have. */
  readonly holder: number | undefined;

  constructor(status: number, document: Partial<ProblemDocument> | undefined) {
    const title = document?.title ?? `HTTP ${status}`;
    super(document?.detail ?? title);
    this.name = "Problem";
    this.status = status;
    this.title = title;
    this.detail = document?.detail ?? title;
    this.requestId = document?.request_id ?? undefined;
    this.faults = document?.errors ?? [];
    this.conflicts = (document?.conflicts ?? []) as Conflict[];
    this.holder = document?.holder;
  }

  /** What is wrong, without pointers into the body. */
  get reason(): string {
    const [only, ...others] = this.faults;
    return only && others.length === 0 ? only.detail : this.detail;
  }
}

/** What went wrong, whatever was thrown. A request that got no answer has status 0. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem(0, { title: "", detail });
}
