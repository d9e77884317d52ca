import { useQuery } from "@tanstack/react-query";
import { useForm } from "~/actions/useForm";
import type { User } from "~/api/records";
import { meQuery } from "~/api/session";
import { setPasswordMutation } from "~/api/users";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import styles from "./users.module.css";

/** A new password for somebody else. */
export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const { texts } = useLocale();
  const rule = useQuery(meQuery).data?.password_rule;
  const form = useForm({
    initial: { password: "" },
    members: ["password"],
    mutation: setPasswordMutation(user.public_id),
    variables: ({ password }) => password,
    onSaved: () => {
      toast(texts.users.passwordSet(user.user_name));
      onClose();
    },
  });
  const { problem } = form;
  return (
    <Dialog
      title={`${texts.users.setPassword}: ${user.user_name}`}
      isOpen
      onClose={onClose}
      alert={problem && <ProblemAlert error={problem} />}
      actions={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" isPending={form.isPending} onPress={() => form.submit()}>
            {texts.form.save}
          </Button>
        </>
      }
    >
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <p>{texts.users.passwordEnds}</p>
        <TextField
          label={texts.users.newPassword}
          type="password"
          autoComplete="new-password"
          hint={rule && texts.users.passwordHint(rule.minimum_bytes, rule.good_characters)}
          value={form.draft.password}
          onChange={(password) => form.set({ password })}
          error={form.faults.get("password")}
          isRequired
          autoFocus
        />
      </form>
    </Dialog>
  );
}
