import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { typesQuery } from "~/api/queries";
import { deleteSource, type SavedSource, sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { Button, buttonLook } from "~/kit/Button";
import { ConfirmDialog } from "~/kit/ConfirmDialog";
import { Listing } from "~/kit/Listing";
import { ProblemNotice } from "~/kit/Notice";
import { Page } from "~/kit/Page";
import { say } from "~/kit/Toasts";
import { EditSource } from "./EditSource";

/** The saved mappings of imports. */
export function SourcesPage() {
  const { texts, number, ago } = useLocale();
  const list = useQuery(sourcesQuery);
  const types = useQuery(typesQuery).data;
  const [edited, setEdited] = useState<SavedSource>();
  const [deleted, setDeleted] = useState<SavedSource>();
  const { sources } = texts;
  const typeOf = ({ type_id }: SavedSource) => {
    const type = types?.find(({ public_id }) => public_id === type_id);
    return type ? type.label || type.name : texts.none;
  };
  return (
    <Page
      title={sources.title}
      hint={sources.hint}
      actions={
        <Link to="/imports" className={buttonLook("quiet")}>
          {texts.imports.title}
        </Link>
      }
    >
      {list.error && <ProblemNotice error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.length === 0 && <p>{sources.empty}</p>}
      {list.data && list.data.length > 0 && (
        <Listing
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
              // Times of the API are in UTC.
              source.last_import_at ? ago(new Date(`${source.last_import_at}Z`)) : texts.none,
              number(source.linked_objects),
              number(source.missing_objects),
              <span key="actions">
                <Button
                  look="quiet"
                  aria-label={sources.editOf(source.name)}
                  onPress={() => setEdited(source)}
                >
                  <Pencil size={14} aria-hidden="true" />
                </Button>
                <Button
                  look="quiet"
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

function DeleteSource({ source, onClose }: { source: SavedSource; onClose: () => void }) {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const { name } = source;
  const remove = useMutation({
    mutationFn: () => deleteSource(source.public_id),
    onSuccess: async () => {
      say(texts.sources.deleted(name));
      onClose();
      await queries.invalidateQueries(sourcesQuery);
    },
  });
  return (
    <ConfirmDialog
      title={texts.sources.deleteOf(name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.imports.delete}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error ?? undefined}
    >
      <p>{texts.sources.deleteText}</p>
    </ConfirmDialog>
  );
}
