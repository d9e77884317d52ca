import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Effects } from "~/actions/Effects";
import { deleteGroupMutation, groupDeletionQuery, groupsQuery } from "~/api/groups";
import type { Group } from "~/api/records";
import { useLocale } from "~/i18n";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Select } from "~/ui/Select";
import { toast } from "~/ui/Toasts";

const DEFAULT_GROUP = 2;

/** Asks what becomes of the group's users, and shows what would happen. */
export function DeleteGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const [action, setAction] = useState<"MOVE" | "DELETE">("MOVE");
  const [target, setTarget] = useState(DEFAULT_GROUP);
  const users = action === "MOVE" ? ({ action, group_id: target } as const) : ({ action } as const);
  const tried = useQuery({
    ...groupDeletionQuery(group.public_id, users),
    placeholderData: keepPreviousData,
  });
  // A refusal may depend on the choice, too.
  const hasUsers = tried.isError || tried.data?.changes.some(({ resource }) => resource === "user");
  const remove = useMutation({
    ...deleteGroupMutation(group.public_id),
    onSuccess: async () => {
      await navigate({ to: "/admin/groups" });
      toast(texts.groups.deleted(group.label || group.name));
    },
  });
  const targets = (useQuery(groupsQuery).data ?? [])
    .filter(({ public_id }) => public_id !== group.public_id)
    .map(({ public_id, label, name }) => ({ id: String(public_id), label: label || name }));
  return (
    <ConfirmDialog
      title={texts.admin.deleteTitle(group.label || group.name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.groups.delete}
      isPending={remove.isPending}
      isDisabled={!tried.data || tried.isPlaceholderData}
      onConfirm={() => remove.mutate(users)}
      error={remove.error ?? tried.error}
    >
      <p>{texts.groups.deleteText}</p>
      {hasUsers && (
        <Select
          label={texts.groups.usersOfDeleted}
          options={[
            { id: "MOVE", label: texts.groups.moveUsers },
            { id: "DELETE", label: texts.groups.deleteUsers },
          ]}
          value={action}
          onChange={setAction}
        />
      )}
      {hasUsers && action === "MOVE" && (
        <Select
          label={texts.groups.target}
          options={targets}
          value={String(target)}
          onChange={(id) => setTarget(Number(id))}
        />
      )}
      {!tried.error && <Effects effects={tried.data} />}
    </ConfirmDialog>
  );
}
