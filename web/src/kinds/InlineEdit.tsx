import { Pencil } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import { isSame } from "~/model/draft";
import { Button } from "~/ui/Button";
import { FieldValue } from "./FieldValue";
import styles from "./InlineEdit.module.css";
import type { ViewProps } from "./kind";
import { kindOf } from "./registry";
import { unfitText } from "./unfit";

interface Props extends ViewProps {
  onSave: (after: unknown, before: unknown) => Promise<unknown>;
}

interface Draft {
  value: unknown;
  /** What it replaces: if the value is another one by then, somebody else changed it. */
  before: unknown;
  error?: string;
}

/** A value that a click turns into its control. */
export function InlineEdit({ field, value, target, onSave }: Props) {
  const { texts } = useLocale();
  const [draft, setDraft] = useState<Draft>();
  const [pending, setPending] = useState<{ value: unknown }>();
  const pencil = useRef<HTMLButtonElement>(null);
  const { Edit, isWide } = kindOf(field);

  // What is on its way is what the next edit begins from.
  const current = pending ? pending.value : value;
  const save = async () => {
    if (!draft) return;
    const isChanged = !isSame(draft.value, draft.before);
    const unfit = isChanged ? unfitText(field, draft.value, texts) : undefined;
    if (unfit !== undefined) return setDraft({ ...draft, error: unfit });
    close();
    if (JSON.stringify(draft.value ?? null) === JSON.stringify(draft.before ?? null)) return;
    const sent = { value: draft.value };
    setPending(sent);
    try {
      await onSave(draft.value, draft.before);
    } catch (error) {
      const problem = problemOf(error);
      const refused = problem.faults.map((fault) => fault.detail).join(" ") || problem.detail;
      const detail = problem.status === 0 ? texts.noConnection : refused;
      setDraft({ ...draft, error: detail });
    } finally {
      setPending((latest) => (latest === sent ? undefined : latest));
    }
  };
  const close = () => {
    setDraft(undefined);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (!isWide || event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (draft) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: keys of the control inside
      <div className={styles.editor} onKeyDown={press}>
        <Edit
          field={field}
          value={draft.value}
          onChange={(value) => setDraft({ value, before: draft.before })}
          error={draft.error}
          hidesLabel
          autoFocus
        />
        <Button variant="primary" onPress={save}>
          {texts.form.save}
        </Button>
        <Button variant="quiet" onPress={close}>
          {texts.cancel}
        </Button>
      </div>
    );
  }
  const begin = () => setDraft({ value: current ?? null, before: current });
  const click = (event: MouseEvent) => {
    const isLink = event.target instanceof Element && event.target.closest("a, button");
    // Who selects text to copy it does not want to edit.
    if (!isLink && !getSelection()?.toString()) begin();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is for keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside is for keys
    <div className={styles.value} onClick={click} data-pending={pending !== undefined}>
      <FieldValue field={field} value={current} target={pending ? undefined : target} />
      <span className={styles.pencil}>
        <Button
          ref={pencil}
          variant="quiet"
          aria-label={texts.form.editObject(field.label || field.name)}
          onPress={begin}
        >
          <Pencil size={13} aria-hidden="true" />
        </Button>
      </span>
    </div>
  );
}
