import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { useUndoToast } from "~/actions/useUndoable";
import type { User } from "~/api/records";
import { saveUserMutation } from "~/api/users";
import { useLocale } from "~/i18n";
import { Button, buttonClass } from "~/ui/Button";
import { toastFailure } from "~/ui/Toasts";
import { DeleteUser } from "./DeleteUser";
import { SetPassword } from "./SetPassword";
import styles from "./users.module.css";

interface Props {
  user: User;
  isOwn: boolean;
}

/** What can be done with a user besides its data. Nobody locks themselves out. */
export function UserTools({ user, isOwn }: Props) {
  const { texts } = useLocale();
  const rights = useRights();
  const [opened, setOpened] = useState<"password" | "delete">();
  const close = () => setOpened(undefined);
  const mayEdit = rights.has("base.user-management.user.edit") && !isOwn;
  const mayDelete = rights.has("base.user-management.user.delete") && !isOwn;
  return (
    <div className={styles.buttons}>
      {rights.has("base.framework.log.view") && (
        <Link
          to="/admin/history"
          search={{ resource: "user", id: user.public_id }}
          className={buttonClass("quiet")}
        >
          {texts.users.history}
        </Link>
      )}
      {mayEdit && (
        <Link
          to="/admin/users/$id/tokens"
          params={{ id: String(user.public_id) }}
          className={buttonClass("quiet")}
        >
          {texts.tokens.title}
        </Link>
      )}
      {mayEdit && !user.is_service && (
        <Button onPress={() => setOpened("password")}>{texts.users.setPassword}</Button>
      )}
      {mayEdit && <StateButton user={user} />}
      {mayDelete && <Button onPress={() => setOpened("delete")}>{texts.users.delete}</Button>}
      {opened === "password" && <SetPassword user={user} onClose={close} />}
      {opened === "delete" && <DeleteUser user={user} onClose={close} />}
    </div>
  );
}

function StateButton({ user }: { user: User }) {
  const { texts } = useLocale();
  const toastDone = useUndoToast();
  const change = useMutation({
    ...saveUserMutation,
    onSuccess: ({ data, requestId }) => {
      const { activated, deactivated } = texts.users;
      toastDone((data.active ? activated : deactivated)(data.user_name), requestId);
    },
    onError: toastFailure,
  });
  const toggle = () => change.mutate({ id: user.public_id, body: { active: !user.active } });
  return (
    <Button isPending={change.isPending} onPress={toggle}>
      {user.active ? texts.users.deactivate : texts.users.activate}
    </Button>
  );
}
