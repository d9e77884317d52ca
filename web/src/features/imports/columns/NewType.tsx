import { useForm } from "~/actions/useForm";
import { useUndoable } from "~/actions/useUndoable";
import { createType } from "~/api/objectTypes";
import type { ImportColumn } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindLabel, kindNamed } from "~/kinds/registry";
import { columnOfField, withKind } from "~/model/importType";
import type { TypeBody } from "~/model/typeDraft";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "../imports.module.css";

const MEMBERS = ["name", "label"] as const;
/** The kinds that a column can become at once; those with settings of their own come later. */
const COLUMN_KINDS = [
  "text",
  "textarea",
  "number",
  "date",
  "datetime",
  "checkbox",
  "select",
  "url",
  "email",
  "mac",
];

function needsOptions(kind: string): boolean {
  return kindNamed(kind).settings.options !== undefined;
}

/** A choice needs values to choose from. */
function kindsFor(column: ImportColumn | undefined): string[] {
  const hasValues = (column?.distinct.length ?? 0) > 0;
  return COLUMN_KINDS.filter((kind) => hasValues || !needsOptions(kind));
}

interface Props {
  proposed: TypeBody;
  columns: readonly ImportColumn[];
  onMade: (id: number) => void;
  onClose: () => void;
}

/** A type from the columns of a file. */
export function NewType({ proposed, columns, onMade, onClose }: Props) {
  const { texts } = useLocale();
  const undoable = useUndoable();
  const form = useForm({
    initial: proposed,
    members: MEMBERS,
    mutation: { mutationFn: createType },
    variables: (draft) => draft,
    onSaved: async ({ type, requestId }) => {
      // The caller's rights on the new type are read, too, before it is chosen.
      await undoable(texts.imports.typeMade(type.label || type.name), requestId);
      onMade(type.public_id);
    },
  });
  const { draft: body, set: change, faults, problem } = form;
  const setKind = (index: number, kind: string) => {
    const field = body.fields[index];
    if (!field) return;
    const changed = withKind(field, kind, needsOptions(kind), columnOfField(field, columns));
    change({ fields: body.fields.with(index, changed) });
  };
  return (
    <Dialog title={texts.imports.makeType} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <p className={styles.soft}>{texts.imports.makeTypeHint}</p>
        <TextField
          label={texts.imports.label}
          value={body.label ?? ""}
          onChange={(label) => change({ label })}
          error={faults.get("label")}
          isRequired
          autoFocus
        />
        <TextField
          label={texts.imports.name}
          value={body.name}
          onChange={(name) => change({ name })}
          error={faults.get("name")}
          isRequired
        />
        <div role="group" aria-label={texts.imports.fields} className={styles.fields}>
          {body.fields.map((field, index) => (
            <div key={field.name} className={styles.field}>
              <span>{field.label}</span>
              <Select
                label={texts.imports.kindOf(field.label ?? field.name)}
                hidesLabel
                options={kindsFor(columnOfField(field, columns)).map((kind) => ({
                  id: kind,
                  label: kindLabel(kind, texts),
                }))}
                value={field.type}
                onChange={(kind) => setKind(index, kind)}
              />
            </div>
          ))}
        </div>
        {problem && <ProblemAlert error={problem} />}
        <div>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {texts.imports.makeTypeDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
