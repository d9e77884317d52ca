import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemOf } from "~/api/problem";
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
  const [userName, setUserName] = useState("");
  const [password, setPassword] = useState("");
  const login = useMutation({
    mutationFn: () => logIn(userName, password),
    onSuccess: onLogIn,
  });
  const isWrong = login.isError && problemOf(login.error).status === 401;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {hint && <p>{hint}</p>}
      <TextField
        label={texts.userName}
        value={userName}
        onChange={setUserName}
        autoComplete="username"
        autoFocus
      />
      <TextField
        label={texts.password}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={isWrong ? texts.wrongLogin : undefined}
      />
      {login.isError && !isWrong && <ProblemAlert error={login.error} />}
      <Button type="submit" variant="primary" isDisabled={login.isPending}>
        {texts.logIn}
      </Button>
    </form>
  );
}
