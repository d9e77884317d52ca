import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Import } from "~/api/imports";
import { problemOf } from "~/api/problem";
import { insertSource, sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
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
  const queries = useQueryClient();
  const [draft, setDraft] = useState(NEW_SOURCE);
  const save = useMutation({
    mutationFn: () => insertSource(sourceBody(draft, mapping, type)),
    onSuccess: async (id) => {
      toast(texts.sources.saved(draft.name));
      await queries.invalidateQueries(sourcesQuery);
      onSaved(id);
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], MEMBERS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog title={texts.sources.save} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p className={styles.soft}>{texts.sources.saveHint}</p>
        <SourceFields
          draft={draft}
          columns={(shown.columns ?? []).map(({ name }) => name)}
          faults={faults}
          onChange={setDraft}
        />
        {problem && (faults.size === 0 || faults.has("")) && <ProblemAlert error={problem} />}
        <div>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            {texts.sources.saveDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
