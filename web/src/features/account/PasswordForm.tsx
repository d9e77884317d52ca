import { useForm } from "~/actions/useForm";
import type { Me, User } from "~/api/records";
import { changeOwnPasswordMutation } from "~/api/users";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import styles from "./account.module.css";

interface Props {
  user: User;
  rule: Me["password_rule"];
}

const NOTHING = { before: "", after: "" };

/** A new password ends all sessions, so this one begins anew with it. */
export function PasswordForm({ user, rule }: Props) {
  const { texts } = useLocale();
  const form = useForm({
    initial: NOTHING,
    members: ["password", "old_password"],
    mutation: changeOwnPasswordMutation(user),
    variables: (draft) => draft,
    onSaved: () => {
      form.reset(NOTHING);
      toast(texts.accountPage.passwordChanged);
    },
  });
  const { draft, faults, problem } = form;
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <p className={styles.soft}>{texts.accountPage.passwordHint}</p>
      <div className={styles.fields}>
        <TextField
          label={texts.accountPage.oldPassword}
          type="password"
          autoComplete="current-password"
          value={draft.before}
          onChange={(before) => form.set({ before })}
          error={faults.get("old_password")}
          isRequired
        />
        <TextField
          label={texts.accountPage.newPassword}
          type="password"
          autoComplete="new-password"
          hint={texts.users.passwordHint(rule.minimum_bytes, rule.good_characters)}
          value={draft.after}
          onChange={(after) => form.set({ after })}
          error={faults.get("password")}
          isRequired
        />
      </div>
      {problem && <ProblemAlert error={problem} />}
      <div>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {texts.accountPage.changePassword}
        </Button>
      </div>
    </form>
  );
}
