import type { TypeDraft } from "~/model/typeDraft";
import type { TypeFaults } from "~/model/typeFaults";
import type { Step } from "./useDraft";

/** What the parts of the designer share. */
export interface Design {
  draft: TypeDraft;
  /** What is stored. */
  base: TypeDraft;
  /** Steps with the same tag are undone together. */
  change: (step: Step, tag?: string) => void;
  /** What the server refused. */
  faults: TypeFaults;
}
