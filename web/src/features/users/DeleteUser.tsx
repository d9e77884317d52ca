import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Effects } from "~/actions/Effects";
import { useUndoToast } from "~/actions/useUndoable";
import type { User } from "~/api/records";
import { deleteUserMutation, userDeletionQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { ConfirmDialog } from "~/ui/ConfirmDialog";

/** Asks, and shows what the deletion would do. */
export function DeleteUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const toastDone = useUndoToast();
  const tried = useQuery(userDeletionQuery(user.public_id));
  const remove = useMutation({
    ...deleteUserMutation(user.public_id),
    onSuccess: async ({ requestId }) => {
      await navigate({ to: "/admin/users" });
      toastDone(texts.users.deleted(user.user_name), requestId);
    },
  });
  return (
    <ConfirmDialog
      title={texts.admin.deleteTitle(user.user_name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.users.delete}
      isPending={remove.isPending}
      isDisabled={tried.isError}
      onConfirm={() => remove.mutate()}
      error={remove.error ?? tried.error}
    >
      <p>
        {texts.users.deleteText} {user.active && texts.users.deleteInstead}
      </p>
      {!tried.error && <Effects effects={tried.data} />}
      <p>{texts.users.restoreHint}</p>
    </ConfirmDialog>
  );
}
