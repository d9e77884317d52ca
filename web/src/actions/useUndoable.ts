import { useQueryClient } from "@tanstack/react-query";
import { problemOf } from "~/api/problem";
import type { RightName } from "~/api/records";
import { undo } from "~/api/undo";
import { useLocale } from "~/i18n";
import { toast, toastFailure } from "~/ui/Toasts";
import { useRights } from "./rights";
import { UndoStack } from "./undoStack";

/** The right without which nothing can be undone. */
const HISTORY_RIGHT: RightName = "base.framework.log.view";

/** What this tab wrote since the screen was opened. */
export const undoStack = new UndoStack(undo);

/** Whether the caller may take back what they wrote. */
export function useMayUndo(): boolean {
  return useRights().has(HISTORY_RIGHT);
}

/** Takes back a request or the last one, or does again what was taken back. */
export function useTakeBack() {
  const queries = useQueryClient();
  const { texts } = useLocale();
  const run = async (step: Promise<boolean>, done: string, nothing: string) => {
    try {
      if (!(await step)) return toast(nothing);
      toast(done);
    } catch (error) {
      toastFailure(problemOf(error).conflicts.length > 0 ? texts.undoConflict : error);
    }
    // A request may have changed anything.
    await queries.invalidateQueries();
  };
  return {
    undo: (requestId?: string) =>
      void run(undoStack.undo(requestId), texts.undone, texts.nothingToUndo),
    redo: () => void run(undoStack.redo(), texts.redone, texts.nothingToRedo),
  };
}

/** Says what a request wrote, and offers those who may to take it back. */
export function useUndoToast(): (text: string, requestId: string) => void {
  const { texts } = useLocale();
  const mayUndo = useMayUndo();
  const takeBack = useTakeBack();
  return (text, requestId) => {
    if (mayUndo) undoStack.add(requestId);
    toast(text, mayUndo ? { label: texts.undo, run: () => takeBack.undo(requestId) } : undefined);
  };
}

/** Says what a request wrote, as `useUndoToast`. All that shows records is read again. */
export function useUndoable() {
  const queries = useQueryClient();
  const toastDone = useUndoToast();
  return (text: string, requestId: string) => {
    toastDone(text, requestId);
    return queries.invalidateQueries();
  };
}
