import { useMutation } from "@tanstack/react-query";
import { useUndoToast } from "~/actions/useUndoable";
import { moveCategoriesMutation } from "~/api/categories";
import { useLocale } from "~/i18n";
import { toastFailure } from "~/ui/Toasts";

/** Moves entries of the tree, and says so. */
export function useMove() {
  const { texts } = useLocale();
  const toastDone = useUndoToast();
  return useMutation({
    ...moveCategoriesMutation,
    onSuccess: ({ requestId }, { name }) => toastDone(texts.categories.moved(name), requestId),
    onError: toastFailure,
  });
}
