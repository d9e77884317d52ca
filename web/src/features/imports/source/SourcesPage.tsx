import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { typesQuery } from "~/api/objectTypes";
import type { Source } from "~/api/records";
import { deleteSourceMutation, sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { RelativeTime } from "~/i18n/RelativeTime";
import { ProblemAlert } from "~/ui/Alert";
import { Button, buttonClass } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Page } from "~/ui/Page";
import { Table } from "~/ui/Table";
import { toast } from "~/ui/Toasts";
import { EditSource } from "./EditSource";

/** The saved mappings of imports. */
export function SourcesPage() {
  const { texts, number } = useLocale();
  const list = useQuery(sourcesQuery);
  const types = useQuery(typesQuery).data;
  const [edited, setEdited] = useState<Source>();
  const [deleted, setDeleted] = useState<Source>();
  const { sources } = texts;
  const typeOf = ({ type_id }: Source) => {
    const type = types?.find(({ public_id }) => public_id === type_id);
    return type ? type.label || type.name : texts.none;
  };
  return (
    <Page
      title={sources.title}
      hint={sources.hint}
      actions={
        <Link to="/imports" className={buttonClass("quiet")}>
          {texts.imports.title}
        </Link>
      }
    >
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.length === 0 && <p>{sources.empty}</p>}
      {list.data && list.data.length > 0 && (
        <Table
          label={sources.title}
          columns={[
            sources.name,
            texts.imports.type,
            sources.missing,
            sources.lastRun,
            sources.linked,
            sources.missingCount,
            texts.imports.actions,
          ]}
          rows={list.data.map((source) => ({
            key: source.public_id,
            cells: [
              source.name,
              typeOf(source),
              sources.policies[source.missing].label,
              source.last_import_at ? (
                <RelativeTime key="last" at={source.last_import_at} />
              ) : (
                texts.none
              ),
              number(source.linked_objects),
              number(source.missing_objects),
              <span key="actions">
                <Button
                  variant="quiet"
                  aria-label={sources.editOf(source.name)}
                  onPress={() => setEdited(source)}
                >
                  <Pencil size={14} aria-hidden="true" />
                </Button>
                <Button
                  variant="quiet"
                  aria-label={sources.deleteOf(source.name)}
                  onPress={() => setDeleted(source)}
                >
                  <Trash2 size={14} aria-hidden="true" />
                </Button>
              </span>,
            ],
          }))}
        />
      )}
      {edited && <EditSource source={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteSource source={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { texts } = useLocale();
  const { name } = source;
  const remove = useMutation({
    ...deleteSourceMutation(source.public_id),
    onSuccess: () => {
      toast(texts.sources.deleted(name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.sources.deleteOf(name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.sources.delete}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error ?? undefined}
    >
      <p>{texts.sources.deleteText}</p>
    </ConfirmDialog>
  );
}
