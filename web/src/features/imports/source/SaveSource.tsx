import { useForm } from "~/actions/useForm";
import type { Import } from "~/api/records";
import { createSourceMutation } from "~/api/sources";
import { useLocale } from "~/i18n";
import type { Mapping } from "~/model/importMapping";
import { NEW_SOURCE, sourceBody } from "~/model/importSource";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { toast } from "~/ui/Toasts";
import styles from "../imports.module.css";
import { SourceFields } from "./SourceFields";

const MEMBERS = ["name", "missing_limit"] as const;

interface Props {
  shown: Import;
  type: number;
  mapping: Mapping;
  onSaved: (id: number) => void;
  onClose: () => void;
}

/** Keeps the mapping of an import for the next ones. */
export function SaveSource({ shown, type, mapping, onSaved, onClose }: Props) {
  const { texts } = useLocale();
  const form = useForm({
    initial: NEW_SOURCE,
    members: MEMBERS,
    mutation: createSourceMutation,
    variables: (draft) => sourceBody(draft, mapping, type),
    onSaved: (_, { name }) => toast(texts.sources.saved(name)),
    onSettled: onSaved,
  });
  const { problem } = form;
  return (
    <Dialog title={texts.sources.save} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <p className={styles.soft}>{texts.sources.saveHint}</p>
        <SourceFields
          draft={form.draft}
          columns={(shown.columns ?? []).map(({ name }) => name)}
          faults={form.faults}
          onChange={form.reset}
        />
        {problem && <ProblemAlert error={problem} />}
        <div>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {texts.sources.saveDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
