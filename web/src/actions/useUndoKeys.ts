import { useEffect } from "react";
import { useLocale } from "~/i18n";
import { useActions } from ".";
import { undoStack, useMayUndo, useTakeBack } from "./useUndoable";

/** Ctrl-Z and Ctrl-Shift-Z for what is written as long as the screen shows the same list. */
export function useUndoKeys(list: unknown) {
  const { texts } = useLocale();
  const { undo, redo } = useTakeBack();
  const mayUndo = useMayUndo();
  // Nobody wants to take back what is not on the screen: neither here nor where they go.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is the reason
  useEffect(() => {
    undoStack.clear();
    return () => undoStack.clear();
  }, [list]);
  const actions = [
    { id: "undo", label: texts.undoLast, keys: "mod+z", leavesTexts: true, run: () => undo() },
    { id: "redo", label: texts.redoLast, keys: "mod+shift+z", leavesTexts: true, run: redo },
  ];
  useActions(mayUndo ? actions : []);
}
