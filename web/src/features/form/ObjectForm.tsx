import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { useActions } from "~/actions";
import { LeaveGuard } from "~/actions/LeaveGuard";
import type { InventoryObject, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import type { Values } from "~/model/draft";
import { sectionsOf } from "~/model/object";
import { textOf } from "~/model/textOf";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { ObjectLink } from "~/ui/ObjectLink";
import { SectionIndex } from "~/ui/SectionIndex";
import styles from "./Form.module.css";
import { FormField } from "./FormField";
import { RelatedDialog, type RelatedRequest } from "./RelatedDialog";
import { type Base, useObjectForm } from "./useObjectForm";

interface Props {
  title: string;
  type: ObjectType;
  /** The object that is edited; nothing for a new one. */
  base: Base | undefined;
  initial: Values;
  /** Fields whose values the next new object begins with. */
  kept?: ReadonlySet<string>;
  onKeep?: (name: string) => void;
  onSaved: (saved: InventoryObject, isChanged: boolean) => void;
  onSavedForNext?: (saved: InventoryObject) => void;
  onCancel: () => void;
}

/** The fields of an object by sections, each with the control of its kind. */
export function ObjectForm(props: Props) {
  const { title, type, base, initial, kept, onKeep, onSaved, onSavedForNext, onCancel } = props;
  const { texts } = useLocale();
  const form = useObjectForm(type, base, initial);
  const [related, setRelated] = useState<RelatedRequest>();
  const [after, setAfter] = useState<{ run: () => void }>();
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const sections = sectionsOf(type, texts.otherFields);
  // The address changes only after the guard knows that nothing is lost.
  useEffect(() => after?.run(), [after]);
  const save = async (then: ((saved: InventoryObject) => void) | undefined) => {
    const { isChanged } = form;
    const saved = await form.save();
    if (saved) setAfter({ run: () => (then ? then(saved) : onSaved(saved, isChanged)) });
  };
  useFocusOnFault(element, form.faults);
  useActions([
    { id: "save", label: texts.form.save, keys: "mod+s", run: () => save(undefined) },
    ...(onSavedForNext
      ? [
          {
            id: "save-next",
            label: texts.form.saveAndNext,
            keys: "mod+enter",
            run: () => save(onSavedForNext),
          },
        ]
      : []),
  ]);
  return (
    <form
      ref={element}
      className={styles.page}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a dialog must not submit the one that it was opened from.
        event.stopPropagation();
        save(undefined);
      }}
    >
      <h1 className={styles.title}>{title}</h1>
      <SectionIndex idPrefix={id} labels={sections.map(({ label }) => label)} />
      {sections.map((section, at) => (
        <section
          key={section.name}
          id={`${id}${at}`}
          tabIndex={-1}
          aria-label={section.label || undefined}
          className={styles.section}
        >
          {section.label && <h2>{section.label}</h2>}
          <div className={styles.fields}>
            {section.fields.map((field, index) => (
              <FormField
                key={field.name}
                field={field}
                value={form.values.get(field.name)}
                onChange={form.set}
                error={form.faults.get(field.name)}
                isInConflict={form.conflicts.has(field.name)}
                theirs={form.conflicts.get(field.name)}
                onResolve={form.resolve}
                isKept={kept?.has(field.name) ?? false}
                onKeep={onKeep}
                onRelated={setRelated}
                autoFocus={section.isFirst && index === 0}
              />
            ))}
          </div>
        </section>
      ))}
      <footer className={styles.actions}>
        <Alerts form={form} />
        <Button
          variant="primary"
          type="submit"
          isDisabled={form.isSaving || form.conflicts.size > 0}
        >
          {form.isSaving ? texts.form.saving : texts.form.save}
        </Button>
        {onSavedForNext && (
          <Button onPress={() => save(onSavedForNext)} isDisabled={form.isSaving}>
            {texts.form.saveAndNext}
          </Button>
        )}
        <Button variant="quiet" onPress={onCancel}>
          {texts.cancel}
        </Button>
      </footer>
      <LeaveGuard isActive={form.isChanged && !after} />
      {related && <RelatedDialog request={related} onClose={() => setRelated(undefined)} />}
    </form>
  );
}

/** Why the form could not be saved, where people have just pressed the button. */
function Alerts({ form }: { form: ReturnType<typeof useObjectForm> }) {
  const { texts } = useLocale();
  const { problem, faults, conflicts, gone } = form;
  const general = faults.get("");
  const named = [...faults.keys()].filter(Boolean).length;
  if (conflicts.size === 0 && named === 0 && gone.length === 0 && !problem) return null;
  return (
    <div className={styles.alerts}>
      {conflicts.size > 0 && (
        <p role="alert" className={styles.warning}>
          {texts.form.conflictTitle}
        </p>
      )}
      {gone.length > 0 && (
        <div role="alert" className={styles.warning}>
          <p>{texts.form.typeChanged}</p>
          <ul>
            {gone.map(({ name, value }) => (
              <li key={name}>
                {name}: {textOf(value)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {named > 0 && (
        <p role="alert" className={styles.warning}>
          {texts.form.faults(named)} {general}
          {problem?.holder !== undefined && (
            <ObjectLink id={problem.holder}>{texts.form.showHolder}</ObjectLink>
          )}
        </p>
      )}
      {problem && named === 0 && <ProblemAlert error={problem} />}
    </div>
  );
}

function useFocusOnFault(
  form: RefObject<HTMLFormElement | null>,
  faults: ReadonlyMap<string, string>,
) {
  useEffect(() => {
    if (faults.size === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] button")?.focus();
  }, [form, faults]);
}
