import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUndoToast } from "~/actions/useUndoable";
import { moveCategories } from "~/api/categories";
import { problemOf } from "~/api/problem";
import { categoriesQuery } from "~/api/queries";
import { useLocale } from "~/i18n";
import { applyMoves, type CategoryChange } from "~/model/categories";
import { toastFailure } from "~/ui/Toasts";

/** Moves entries of the tree. The tree shows them at once; a refusal takes them back. */
export function useMove() {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const toastDone = useUndoToast();
  const { queryKey } = categoriesQuery;
  return useMutation({
    mutationFn: ({ changes }: { changes: readonly CategoryChange[]; name: string }) =>
      moveCategories(changes),
    onMutate: async ({ changes }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (before) => before && applyMoves(before, changes));
    },
    onSuccess: ({ requestId }, { name }) => toastDone(texts.categories.moved(name), requestId),
    onError: (error) => toastFailure(problemOf(error).reason),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
