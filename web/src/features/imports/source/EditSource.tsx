import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/api/problem";
import { patchSource, type Source, sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { faultsByMember } from "~/model/faults";
import { draftBody, type SourceDraft } from "~/model/importSource";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { SourceFields } from "./SourceFields";

const MEMBERS = ["name", "missing_limit"] as const;

interface Props {
  source: Source;
  onClose: () => void;
}

/** Changes what a source is called and what happens to missing records. */
export function EditSource({ source, onClose }: Props) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<SourceDraft>({
    name: source.name,
    externalKey: source.external_key,
    missing: source.missing,
    limit: String(source.missing_limit),
  });
  const save = useMutation({
    mutationFn: () => patchSource(source.public_id, draftBody(draft)),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries(sourcesQuery);
    },
  });
  const problem = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(problem?.faults ?? [], MEMBERS);
  return (
    <ConfirmDialog
      title={texts.sources.editOf(source.name)}
      isOpen
      onClose={onClose}
      variant="primary"
      confirmLabel={texts.sources.change}
      onConfirm={() => save.mutate()}
      isPending={save.isPending}
      error={faults.size === 0 || faults.has("") ? problem : undefined}
    >
      <SourceFields draft={draft} columns={[]} faults={faults} onChange={setDraft} />
    </ConfirmDialog>
  );
}
