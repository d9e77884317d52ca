import { useMutation, useQuery } from "@tanstack/react-query";
import { useUndoToast } from "~/actions/useUndoable";
import { categoryDeletionQuery, deleteCategoryMutation } from "~/api/categories";
import type { Category } from "~/api/records";
import { useLocale } from "~/i18n";
import { ConfirmDialog } from "~/ui/ConfirmDialog";

interface Props {
  category: Category;
  categories: readonly Category[];
  onClose: () => void;
}

/** Asks, and says which categories move to the top. */
export function DeleteCategory({ category, categories, onClose }: Props) {
  const { texts, number } = useLocale();
  const toastDone = useUndoToast();
  const name = category.label || category.name;
  const tried = useQuery(categoryDeletionQuery(category.public_id));
  const remove = useMutation({
    ...deleteCategoryMutation(category.public_id),
    onSuccess: ({ requestId }) => {
      toastDone(texts.categories.deleted(name), requestId);
      onClose();
    },
  });
  const roots = categories.filter(({ public_id }) => tried.data?.includes(public_id));
  const count = category.types.length;
  return (
    <ConfirmDialog
      title={texts.admin.deleteTitle(name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.categories.delete}
      isPending={remove.isPending}
      isDisabled={!tried.data}
      onConfirm={() => remove.mutate()}
      error={remove.error ?? tried.error}
    >
      <p>
        {count > 0 && texts.categories.typesLeft(count, number(count))}{" "}
        {texts.categories.deleteText}
      </p>
      {roots.length > 0 && (
        <p>{texts.categories.becomeRoots(roots.map(({ label }) => label).join(", "))}</p>
      )}
    </ConfirmDialog>
  );
}
