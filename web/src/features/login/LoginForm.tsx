import { useForm } from "~/actions/useForm";
import { logIn } from "~/api/session";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import styles from "./LoginForm.module.css";

interface Props {
  /** Said above the fields, such as that a session has ended. */
  hint?: string;
  onLogIn: () => void;
}

export function LoginForm({ hint, onLogIn }: Props) {
  const { texts } = useLocale();
  const form = useForm({
    initial: { userName: "", password: "" },
    mutation: { mutationFn: logIn },
    variables: (draft) => draft,
    onSaved: onLogIn,
  });
  const { draft, set, problem } = form;
  const isWrong = problem?.status === 401;
  return (
    <form className={styles.form} onSubmit={form.submit}>
      {hint && <p>{hint}</p>}
      <TextField
        label={texts.userName}
        value={draft.userName}
        onChange={(userName) => set({ userName })}
        autoComplete="username"
        autoFocus
      />
      <TextField
        label={texts.password}
        type="password"
        value={draft.password}
        onChange={(password) => set({ password })}
        autoComplete="current-password"
        error={isWrong ? texts.wrongLogin : undefined}
      />
      {problem && !isWrong && <ProblemAlert error={problem} />}
      <Button type="submit" variant="primary" isDisabled={form.isPending}>
        {texts.logIn}
      </Button>
    </form>
  );
}
