import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSayDone } from "~/actions/useUndoable";
import { moveCategories } from "~/api/categories";
import { problemOf } from "~/api/problem";
import { categoriesQuery } from "~/api/queries";
import { useLocale } from "~/i18n";
import { sayFailure } from "~/kit/Toasts";
import { applyMoves, type CategoryChange } from "~/model/categories";

/** Moves entries of the tree. The tree shows them at once; a refusal takes them back. */
export function useMove() {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const sayDone = useSayDone();
  const { queryKey } = categoriesQuery;
  return useMutation({
    mutationFn: ({ changes }: { changes: readonly CategoryChange[]; name: string }) =>
      moveCategories(changes),
    onMutate: async ({ changes }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (before) => before && applyMoves(before, changes));
    },
    onSuccess: ({ requestId }, { name }) => sayDone(texts.categories.moved(name), requestId),
    onError: (error) => sayFailure(problemOf(error).reason),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
