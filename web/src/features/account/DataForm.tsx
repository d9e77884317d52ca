import { useForm } from "~/actions/useForm";
import { useUndoToast } from "~/actions/useUndoable";
import type { User } from "~/api/records";
import { saveUserMutation } from "~/api/users";
import { useLocale } from "~/i18n";
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
  const toastDone = useUndoToast();
  const form = useForm({
    initial: userDraft(user, user.group_id),
    members: MEMBERS,
    mutation: saveUserMutation,
    // Only what was changed is sent, and nobody else writes here.
    variables: (draft) => ({ id: user.public_id, body: changedMembers(user, draft) }),
    onSaved: ({ data, requestId }) => {
      form.reset(userDraft(data, data.group_id));
      toastDone(texts.accountPage.saved, requestId);
    },
  });
  const { draft, faults, problem } = form;
  const labels = {
    user_name: texts.userName,
    email: texts.users.email,
    first_name: texts.users.firstName,
    last_name: texts.users.lastName,
  };
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <div className={styles.fields}>
        {(mayRename ? MEMBERS : OWN).map((member) => (
          <TextField
            key={member}
            label={labels[member]}
            value={draft[member]}
            onChange={(value) => form.set({ [member]: value })}
            error={faults.get(member)}
            isRequired={member === "user_name"}
          />
        ))}
      </div>
      {problem && <ProblemAlert error={problem} />}
      <div>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {texts.form.save}
        </Button>
      </div>
    </form>
  );
}
