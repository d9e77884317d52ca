import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useUndoToast } from "~/actions/useUndoable";
import { problemOf } from "~/api/problem";
import type { User } from "~/api/types";
import { changeUser } from "~/api/users";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
import { changedMembers, userDraft } from "~/model/users";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import styles from "./account.module.css";

const OWN = ["email", "first_name", "last_name"] as const;
const MEMBERS = ["user_name", ...OWN] as const;

/** What users may change of themselves; their user name only with the right to edit users. */
export function DataForm({ user, mayRename }: { user: User; mayRename: boolean }) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const toastDone = useUndoToast();
  const [draft, setDraft] = useState(userDraft(user, user.group_id));
  const save = useMutation({
    // Only what was changed is sent, and nobody else writes here.
    mutationFn: () => changeUser(user.public_id, changedMembers(user, draft), "*"),
    onSuccess: async ({ data, requestId }) => {
      setDraft(userDraft(data, data.group_id));
      toastDone(texts.accountPage.saved, requestId);
      await queries.invalidateQueries({ queryKey: ["me"] });
      await queries.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], MEMBERS);
  const labels = {
    user_name: texts.userName,
    email: texts.users.email,
    first_name: texts.users.firstName,
    last_name: texts.users.lastName,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        {(mayRename ? MEMBERS : OWN).map((member) => (
          <TextField
            key={member}
            label={labels[member]}
            value={draft[member]}
            onChange={(value) => setDraft({ ...draft, [member]: value })}
            error={faults.get(member)}
            isRequired={member === "user_name"}
          />
        ))}
      </div>
      {problem && (faults.size === 0 || faults.has("")) && <ProblemAlert error={problem} />}
      <div>
        <Button type="submit" variant="primary" isPending={save.isPending}>
          {texts.form.save}
        </Button>
      </div>
    </form>
  );
}
