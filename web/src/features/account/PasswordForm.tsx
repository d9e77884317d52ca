import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemOf } from "~/api/problem";
import { sessionsQuery } from "~/api/queries";
import { logIn } from "~/api/session";
import type { Me, User } from "~/api/types";
import { setPassword } from "~/api/users";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import styles from "./account.module.css";

interface Props {
  user: User;
  rule: Me["password_rule"];
}

/** A new password ends all sessions, so this one begins anew with it. */
export function PasswordForm({ user, rule }: Props) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const [before, setBefore] = useState("");
  const [after, setAfter] = useState("");
  const change = useMutation({
    mutationFn: async () => {
      await setPassword(user.public_id, after, before);
      await logIn(user.user_name, after);
    },
    onSuccess: async () => {
      setBefore("");
      setAfter("");
      toast(texts.accountPage.passwordChanged);
      await queries.invalidateQueries(sessionsQuery);
    },
  });
  const problem = change.isError ? problemOf(change.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], ["password", "old_password"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.soft}>{texts.accountPage.passwordHint}</p>
      <div className={styles.fields}>
        <TextField
          label={texts.accountPage.oldPassword}
          type="password"
          autoComplete="current-password"
          value={before}
          onChange={setBefore}
          error={faults.get("old_password")}
          isRequired
        />
        <TextField
          label={texts.accountPage.newPassword}
          type="password"
          autoComplete="new-password"
          hint={texts.users.passwordHint(rule.minimum_bytes, rule.good_characters)}
          value={after}
          onChange={setAfter}
          error={faults.get("password")}
          isRequired
        />
      </div>
      {problem && (faults.size === 0 || faults.has("")) && <ProblemAlert error={problem} />}
      <div>
        <Button type="submit" variant="primary" isPending={change.isPending}>
          {texts.accountPage.changePassword}
        </Button>
      </div>
    </form>
  );
}
