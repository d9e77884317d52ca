import { useCallback, useState } from "react";
import { isSameDraft, type TypeDraft } from "~/model/typeDraft";

export type Step = (draft: TypeDraft) => TypeDraft;

interface State {
  /** What is stored. */
  base: TypeDraft;
  draft: TypeDraft;
  past: readonly TypeDraft[];
  /** What was undone, the last of it first. */
  future: readonly TypeDraft[];
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
    future: [],
    tag: undefined,
  });
  const change = useCallback((step: Step, tag?: string) => {
    setState((before) => {
      const draft = step(before.draft);
      if (draft === before.draft) return before;
      const joins = tag !== undefined && tag === before.tag;
      const past = joins ? before.past : [...before.past, before.draft].slice(-STEPS_KEPT);
      return { ...before, draft, past, future: [], tag };
    });
  }, []);
  const undo = useCallback(() => {
    setState((before) => {
      const draft = before.past.at(-1);
      if (!draft) return before;
      const future = [before.draft, ...before.future];
      return { ...before, draft, past: before.past.slice(0, -1), future, tag: undefined };
    });
  }, []);
  const redo = useCallback(() => {
    setState((before) => {
      const [draft, ...future] = before.future;
      if (!draft) return before;
      return { ...before, draft, past: [...before.past, before.draft], future, tag: undefined };
    });
  }, []);
  /** Begins anew with what is stored now. */
  const reset = useCallback((stored: TypeDraft) => {
    setState({ base: stored, draft: stored, past: [], future: [], tag: undefined });
  }, []);
  const { base, draft, past, future } = state;
  return {
    base,
    draft,
    change,
    undo,
    redo,
    reset,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    isChanged: !isSameDraft(base, draft),
  };
}
