import { useMutation, useQuery } from "@tanstack/react-query";
import { cleanObjects, MOST_UNDONE, uncleanObjectsQuery } from "~/api/clean";
import type { InventoryObject, ObjectType, Page } from "~/api/records";
import { useLocale } from "~/i18n";
import { type CleanedField, cleaningOf } from "~/model/clean";
import { summaryOf } from "~/model/object";
import { ProblemAlert } from "~/ui/Alert";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { ObjectLink } from "~/ui/ObjectLink";
import styles from "./CleanDialog.module.css";
import { useUndoable } from "./useUndoable";

interface Props {
  type: ObjectType;
  onClose: () => void;
}

/** Says which fields go and come before the objects of a type are cleaned. */
export function CleanDialog({ type, onClose }: Props) {
  const { texts, number } = useLocale();
  const undoable = useUndoable();
  const found = useQuery(uncleanObjectsQuery(type.public_id));
  const clean = useMutation({
    mutationFn: () => cleanObjects(type.public_id),
    onSuccess: async ({ data, requestId }) => {
      onClose();
      await undoable(texts.clean.done(data, number(data)), requestId);
    },
  });
  return (
    <ConfirmDialog
      title={texts.clean.title(type.label || type.name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.clean.run}
      onConfirm={() => clean.mutate()}
      isPending={clean.isPending}
      isDisabled={!found.data?.total}
      error={clean.error}
    >
      {found.error && <ProblemAlert error={found.error} onRetry={() => found.refetch()} />}
      {found.isPending && <p>{texts.loading}</p>}
      {found.data && <Preview type={type} found={found.data} />}
    </ConfirmDialog>
  );
}

function Preview({ type, found }: { type: ObjectType; found: Page<InventoryObject> }) {
  const { texts, number } = useLocale();
  const { results, total } = found;
  const { removed, added } = cleaningOf(results, type);
  return (
    <div className={styles.preview}>
      <p>{total === 0 ? texts.clean.nothing : texts.clean.found(total, number(total))}</p>
      {results.length < total && <p>{texts.clean.lookedAt(number(results.length))}</p>}
      <Fields title={texts.clean.removed} fields={removed} />
      <Fields title={texts.clean.added} fields={added} />
      {total > MOST_UNDONE && (
        <p className={styles.warning}>{texts.clean.noUndo(number(MOST_UNDONE))}</p>
      )}
      <ul className={styles.objects}>
        {results.map((object) => (
          <li key={object.public_id}>
            <ObjectLink id={object.public_id}>
              {summaryOf(object, type) || `#${object.public_id}`}
            </ObjectLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** An example is not longer than this. */
const MOST_LETTERS = 60;

function Fields({ title, fields }: { title: string; fields: readonly CleanedField[] }) {
  const { texts, number } = useLocale();
  if (fields.length === 0) return null;
  const line = ({ label, objects, values, example }: CleanedField) => {
    const counted = `${label}: ${texts.objectsCount(objects, number(objects))}`;
    const text = String(example ?? "").slice(0, MOST_LETTERS);
    return values === 0 ? counted : `${counted}, ${texts.clean.lost(values, number(values), text)}`;
  };
  return (
    <section>
      <h3>{title}</h3>
      <ul className={styles.fields}>
        {fields.map((field) => (
          <li key={field.name}>{line(field)}</li>
        ))}
      </ul>
    </section>
  );
}
