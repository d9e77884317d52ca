import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useActions } from "~/actions";
import { useUndoToast } from "~/actions/useUndoable";
import { changeGroup, createGroup, type GroupDraft } from "~/api/groups";
import { problemOf } from "~/api/problem";
import type { Group } from "~/api/types";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
import { ProblemAlert, StaleAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Panel } from "~/ui/Page";
import { TextField } from "~/ui/TextField";
import styles from "./groups.module.css";
import { RightsEditor } from "./RightsEditor";

interface Props {
  /** Nothing for a new group. */
  group?: Group;
  revision?: string;
  isReadOnly?: boolean;
  onCreate?: (group: Group) => void;
  /** Begins anew with what the server has. */
  onReload?: () => void;
}

function draftOf(group: Group | undefined): GroupDraft {
  const rights = group?.rights.map(({ name }) => name) ?? [];
  return { name: group?.name ?? "", label: group?.label ?? "", rights };
}

/** Only what was changed: whoever grants rights again must hold them. */
function changesOf(group: Group, draft: GroupDraft): Partial<GroupDraft> {
  const before = Object.entries(draftOf(group));
  const isChanged = ([member, value]: [string, unknown]) =>
    JSON.stringify(draft[member as keyof GroupDraft]) !== JSON.stringify(value);
  const changed = before.filter(isChanged).map(([member]) => member as keyof GroupDraft);
  return Object.fromEntries(changed.map((member) => [member, draft[member]]));
}

/** Name and rights of a group. Faults appear at their fields. */
export function GroupForm({ group, revision, isReadOnly = false, ...on }: Props) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const toastDone = useUndoToast();
  // What is typed stays, whatever the server tells meanwhile.
  const [base, setBase] = useState({ group, revision });
  const [draft, setDraft] = useState(draftOf(group));
  const [seen, setSeen] = useState(revision);
  if (revision !== seen) {
    setSeen(revision);
    if (JSON.stringify(draft) === JSON.stringify(draftOf(base.group))) begin({ group, revision });
  }
  function begin(next: typeof base) {
    setBase(next);
    setDraft(draftOf(next.group));
  }
  const save = useMutation({
    mutationFn: () =>
      base.group
        ? changeGroup(base.group.public_id, changesOf(base.group, draft), base.revision ?? "*")
        : createGroup(draft),
    onSuccess: async ({ data, revision, requestId }) => {
      const { saved, created } = texts.groups;
      toastDone((base.group ? saved : created)(data.label || data.name), requestId);
      begin({ group: data, revision });
      await queries.invalidateQueries({ queryKey: ["groups"] });
      // It may be the caller's own group.
      await queries.invalidateQueries({ queryKey: ["me"] });
      if (!base.group) on.onCreate?.(data);
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], ["name", "label"]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    save.mutate();
  };
  useActions(
    isReadOnly ? [] : [{ id: "group.save", label: texts.form.save, keys: "mod+s", run: submit }],
  );
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Panel>
        <div className={styles.fields}>
          <TextField
            label={texts.groups.name}
            hint={texts.groups.nameHint}
            value={draft.name}
            onChange={(name) => setDraft({ ...draft, name })}
            error={faults.get("name")}
            isReadOnly={isReadOnly}
            isRequired
            autoFocus={!group}
            autoComplete="off"
          />
          <TextField
            label={texts.groups.label}
            hint={group ? undefined : texts.groups.labelHint}
            value={draft.label}
            onChange={(label) => setDraft({ ...draft, label })}
            error={faults.get("label")}
            isReadOnly={isReadOnly}
            autoComplete="off"
          />
        </div>
      </Panel>
      <RightsEditor
        granted={draft.rights}
        before={draftOf(base.group).rights}
        isReadOnly={isReadOnly}
        onChange={(rights) => setDraft({ ...draft, rights })}
      />
      {!isReadOnly && (
        <div className={styles.save}>
          {problem?.status === 412 && <StaleAlert onReload={() => on.onReload?.()} />}
          {problem && problem.status !== 412 && (faults.size === 0 || faults.has("")) && (
            <ProblemAlert error={problem} />
          )}
          <Button type="submit" variant="primary" isPending={save.isPending}>
            {save.isPending ? texts.form.saving : texts.form.save}
          </Button>
        </div>
      )}
    </form>
  );
}
