import { useForm } from "~/actions/useForm";
import type { Source } from "~/api/records";
import { changeSourceMutation } from "~/api/sources";
import { useLocale } from "~/i18n";
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
  const form = useForm({
    initial: draftOf(source),
    members: MEMBERS,
    mutation: changeSourceMutation(source.public_id),
    variables: draftBody,
    onSaved: onClose,
  });
  return (
    <ConfirmDialog
      title={texts.sources.editOf(source.name)}
      isOpen
      onClose={onClose}
      variant="primary"
      confirmLabel={texts.sources.change}
      onConfirm={() => form.submit()}
      isPending={form.isPending}
      error={form.problem}
    >
      <SourceFields draft={form.draft} columns={[]} faults={form.faults} onChange={form.reset} />
    </ConfirmDialog>
  );
}

function draftOf({ name, external_key, missing, missing_limit }: Source): SourceDraft {
  return { name, externalKey: external_key, missing, limit: String(missing_limit) };
}
