import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useActions } from "~/actions";
import { useUndoToast } from "~/actions/useUndoable";
import { groupsQuery } from "~/api/groups";
import { problemOf } from "~/api/problem";
import type { Me, User } from "~/api/types";
import { changeUser, createUser, type WrittenUser } from "~/api/users";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
import { changedMembers, type UserDraft, userBody, userDraft } from "~/model/users";
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
  const queries = useQueryClient();
  const toastDone = useUndoToast();
  // What is typed stays, whatever the server tells meanwhile.
  const [base, setBase] = useState({ user, revision });
  const [draft, setDraft] = useState<UserDraft>(userDraft(user, DEFAULT_GROUP));
  const [seen, setSeen] = useState(revision);
  if (revision !== seen) {
    setSeen(revision);
    const isTouched = base.user && Object.keys(changedMembers(base.user, draft)).length > 0;
    if (!isTouched) begin({ user, revision });
  }
  function begin(next: typeof base) {
    setBase(next);
    setDraft(userDraft(next.user, DEFAULT_GROUP));
  }
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const save = useMutation({
    mutationFn: (): Promise<WrittenUser> =>
      base.user
        ? changeUser(base.user.public_id, changedMembers(base.user, draft), base.revision ?? "*")
        : createUser(userBody(draft)),
    onSuccess: async ({ data, revision, requestId, warnings }) => {
      const { saved, created } = texts.users;
      toastDone((base.user ? saved : created)(data.user_name), requestId);
      begin({ user: data, revision });
      setWarnings(warnings);
      for (const warning of base.user ? [] : warnings) toast(warning);
      await queries.invalidateQueries({ queryKey: ["users"] });
      if (isOwn) await queries.invalidateQueries({ queryKey: ["me"] });
      if (!base.user) on.onCreate?.(data);
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], MEMBERS);
  const set = (part: Partial<UserDraft>) => setDraft({ ...draft, ...part });
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
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setWarnings([]);
    save.mutate();
  };
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
        {!base.user && (
          <Checkbox
            label={texts.users.isService}
            isSelected={draft.is_service}
            onChange={(is_service) => set({ is_service })}
          />
        )}
        {!base.user && !draft.is_service && (
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
      {problem?.status === 412 && <StaleAlert onReload={() => on.onReload?.()} />}
      {problem && problem.status !== 412 && (faults.size === 0 || faults.has("")) && (
        <ProblemAlert error={problem} />
      )}
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            {save.isPending ? texts.form.saving : texts.form.save}
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
