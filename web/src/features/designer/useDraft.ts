import { useCallback, useState } from "react";
import { isSameDraft, type TypeDraft } from "~/model/typeDraft";

export type Step = (draft: TypeDraft) => TypeDraft;

interface State {
  /** What is stored. */
  base: TypeDraft;
  draft: TypeDraft;
  past: readonly TypeDraft[];
  /** What the last step changed; the next one that changes the same joins it. */
  tag: string | undefined;
}

const STEPS_KEPT = 100;

/** A draft with its stored form and the steps that led away from it. */
export function useDraft(initial: TypeDraft) {
  const [state, setState] = useState<State>({
    base: initial,
    draft: initial,
    past: [],
    tag: undefined,
  });
  const change = useCallback((step: Step, tag?: string) => {
    setState((before) => {
      const draft = step(before.draft);
      if (draft === before.draft) return before;
      const joins = tag !== undefined && tag === before.tag;
      const past = joins ? before.past : [...before.past, before.draft].slice(-STEPS_KEPT);
      return { ...before, draft, past, tag };
    });
  }, []);
  const undo = useCallback(() => {
    setState((before) => {
      const draft = before.past.at(-1);
      return draft ? { ...before, draft, past: before.past.slice(0, -1), tag: undefined } : before;
    });
  }, []);
  /** Begins anew with what is stored now. */
  const reset = useCallback((stored: TypeDraft) => {
    setState({ base: stored, draft: stored, past: [], tag: undefined });
  }, []);
  const { base, draft, past } = state;
  return {
    base,
    draft,
    change,
    undo,
    reset,
    canUndo: past.length > 0,
    isChanged: !isSameDraft(base, draft),
  };
}
