import { useQuery } from "@tanstack/react-query";
import { useActions } from "~/actions";
import { useRecordForm } from "~/actions/useForm";
import { useUndoToast } from "~/actions/useUndoable";
import { groupsQuery } from "~/api/groups";
import type { Me, User } from "~/api/records";
import { saveUserMutation } from "~/api/users";
import { useLocale } from "~/i18n";
import { changedMembers, userBody, userDraft } from "~/model/users";
import { ProblemAlert, StaleAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import styles from "./users.module.css";

interface Props {
  /** Nothing for a new user. */
  user?: User;
  revision?: string;
  isReadOnly?: boolean;
  isOwn?: boolean;
  rule: Me["password_rule"];
  onCreate?: (user: User) => void;
  /** Begins anew with what the server has. */
  onReload?: () => void;
}

const MEMBERS = ["user_name", "first_name", "last_name", "email", "group_id", "password"];
const DEFAULT_GROUP = 2;

/** The data of a user. Faults appear at their fields. */
export function UserForm({ user, revision, isReadOnly = false, isOwn, rule, ...on }: Props) {
  const { texts } = useLocale();
  const toastDone = useUndoToast();
  const form = useRecordForm({
    record: user,
    revision,
    draftOf: (record) => userDraft(record, DEFAULT_GROUP),
    members: MEMBERS,
    mutation: saveUserMutation,
    variables: (draft, { record, revision }) =>
      record
        ? { id: record.public_id, body: changedMembers(record, draft), revision }
        : { id: undefined, body: userBody(draft) },
    onSaved: ({ data, requestId, warnings }, { record }) => {
      const { saved, created } = texts.users;
      toastDone((record ? saved : created)(data.user_name), requestId);
      for (const warning of record ? [] : warnings) toast(warning);
    },
    onSettled: ({ data }) => !user && on.onCreate?.(data),
  });
  const { draft, set, submit, faults, problem } = form;
  const warnings = form.isPending ? [] : (form.data?.warnings ?? []);
  const isNew = form.base.record === undefined;
  const field = (member: "user_name" | "first_name" | "last_name" | "email", label: string) => (
    <TextField
      label={label}
      value={draft[member]}
      onChange={(value) => set({ [member]: value })}
      isReadOnly={isReadOnly}
      error={faults.get(member)}
      isRequired={member === "user_name"}
      autoFocus={member === "user_name" && !user}
      autoComplete="off"
    />
  );
  useActions(
    isReadOnly ? [] : [{ id: "user.save", label: texts.form.save, keys: "mod+s", run: submit }],
  );
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        {field("user_name", texts.userName)}
        {field("email", texts.users.email)}
        {field("first_name", texts.users.firstName)}
        {field("last_name", texts.users.lastName)}
        <GroupSelect
          value={draft.group_id}
          isDisabled={isReadOnly || isOwn === true}
          error={faults.get("group_id")}
          onChange={(group_id) => set({ group_id })}
        />
        {isNew && (
          <Checkbox
            label={texts.users.isService}
            isSelected={draft.is_service}
            onChange={(is_service) => set({ is_service })}
          />
        )}
        {isNew && !draft.is_service && (
          <TextField
            label={texts.password}
            type="password"
            autoComplete="new-password"
            hint={texts.users.passwordHint(rule.minimum_bytes, rule.good_characters)}
            value={draft.password}
            onChange={(password) => set({ password })}
            error={faults.get("password")}
            isRequired
          />
        )}
      </div>
      {warnings.length > 0 && <p className={styles.warnings}>{warnings.join(" ")}</p>}
      {form.isStale && <StaleAlert onReload={() => on.onReload?.()} />}
      {problem && <ProblemAlert error={problem} />}
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {form.isPending ? texts.form.saving : texts.form.save}
          </Button>
        </div>
      )}
    </form>
  );
}

interface GroupProps {
  value: number;
  isDisabled: boolean;
  error: string | undefined;
  onChange: (group: number) => void;
}

function GroupSelect({ value, isDisabled, error, onChange }: GroupProps) {
  const { texts } = useLocale();
  const groups = useQuery(groupsQuery).data ?? [];
  const options = groups.map(({ public_id, label, name }) => ({
    id: String(public_id),
    label: label || name,
  }));
  // Not everybody may see the groups.
  if (!options.some(({ id }) => id === String(value))) {
    options.push({ id: String(value), label: texts.users.groupOf(String(value)) });
  }
  return (
    <Select
      label={texts.users.group}
      options={options}
      value={String(value)}
      isDisabled={isDisabled}
      error={error}
      onChange={(group) => onChange(Number(group))}
    />
  );
}
