import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemOf } from "~/api/problem";
import { meQuery } from "~/api/queries";
import type { User } from "~/api/types";
import { setPassword } from "~/api/users";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
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
  const queries = useQueryClient();
  const [password, setTyped] = useState("");
  const save = useMutation({
    mutationFn: () => setPassword(user.public_id, password),
    onSuccess: async () => {
      toast(texts.users.passwordSet(user.user_name));
      onClose();
      await queries.invalidateQueries({ queryKey: ["users", user.public_id] });
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const fault = faultsByMember(problem?.faults ?? [], ["password"]).get("password");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      title={`${texts.users.setPassword}: ${user.user_name}`}
      isOpen
      onClose={onClose}
      alert={problem && fault === undefined && <ProblemAlert error={problem} />}
      actions={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" isPending={save.isPending} onPress={() => save.mutate()}>
            {texts.form.save}
          </Button>
        </>
      }
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>{texts.users.passwordEnds}</p>
        <TextField
          label={texts.users.newPassword}
          type="password"
          autoComplete="new-password"
          hint={rule && texts.users.passwordHint(rule.minimum_bytes, rule.good_characters)}
          value={password}
          onChange={setTyped}
          error={fault}
          isRequired
          autoFocus
        />
      </form>
    </Dialog>
  );
}
