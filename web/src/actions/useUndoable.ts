import { useQueryClient } from "@tanstack/react-query";
import { problemOf } from "~/api/problem";
import { undo } from "~/api/undo";
import { useLocale } from "~/i18n";
import { say, sayFailure } from "~/kit/Toasts";
import { useRights } from "./rights";

/** The right without which nothing can be undone. */
const HISTORY_RIGHT = "base.framework.log.view";

/** Says what a request wrote, and offers those who may to take it back. */
export function useSayDone(): (text: string, requestId: string) => void {
  const queries = useQueryClient();
  const { texts } = useLocale();
  const mayUndo = useRights().has(HISTORY_RIGHT);
  const takeBack = async (requestId: string) => {
    try {
      await undo(requestId);
      say(texts.undone);
    } catch (error) {
      sayFailure(problemOf(error).reason);
    }
    // A request may have changed anything.
    await queries.invalidateQueries();
  };
  return (text, requestId) =>
    say(text, mayUndo ? { label: texts.undo, run: () => void takeBack(requestId) } : undefined);
}

/** Says what a request wrote, as `useSayDone`. All that shows records is read again. */
export function useUndoable() {
  const queries = useQueryClient();
  const sayDone = useSayDone();
  return (text: string, requestId: string) => {
    sayDone(text, requestId);
    return queries.invalidateQueries();
  };
}
