import { useActions } from "~/actions";
import { useRecordForm } from "~/actions/useForm";
import { useUndoToast } from "~/actions/useUndoable";
import { type GroupDraft, saveGroupMutation } from "~/api/groups";
import type { Group } from "~/api/records";
import { useLocale } from "~/i18n";
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
  const toastDone = useUndoToast();
  const form = useRecordForm({
    record: group,
    revision,
    draftOf,
    members: ["name", "label"],
    mutation: saveGroupMutation,
    variables: (draft, { record, revision }) =>
      record
        ? { id: record.public_id, body: changesOf(record, draft), revision }
        : { id: undefined, body: draft },
    onSaved: ({ data, requestId }, { record }) => {
      const { saved, created } = texts.groups;
      toastDone((record ? saved : created)(data.label || data.name), requestId);
    },
    onSettled: ({ data }) => !group && on.onCreate?.(data),
  });
  const { draft, set, submit, faults, problem } = form;
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
            onChange={(name) => set({ name })}
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
            onChange={(label) => set({ label })}
            error={faults.get("label")}
            isReadOnly={isReadOnly}
            autoComplete="off"
          />
        </div>
      </Panel>
      <RightsEditor
        granted={draft.rights}
        before={draftOf(form.base.record).rights}
        isReadOnly={isReadOnly}
        onChange={(rights) => set({ rights })}
      />
      {!isReadOnly && (
        <div className={styles.save}>
          {form.isStale && <StaleAlert onReload={() => on.onReload?.()} />}
          {problem && <ProblemAlert error={problem} />}
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {form.isPending ? texts.form.saving : texts.form.save}
          </Button>
        </div>
      )}
    </form>
  );
}
