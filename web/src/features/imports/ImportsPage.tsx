import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trash2, Upload } from "lucide-react";
import { useState } from "react";
import { deleteImportMutation, importsQuery } from "~/api/imports";
import { typesQuery } from "~/api/objectTypes";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { RelativeTime } from "~/i18n/RelativeTime";
import { countsOf, hasWritten, isRunning } from "~/model/importProgress";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button, buttonClass } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Page } from "~/ui/Page";
import { Table } from "~/ui/Table";
import { toast } from "~/ui/Toasts";
import styles from "./imports.module.css";
import { stateVariant, statusVariant } from "./variants";

/** The imports of the caller. */
export function ImportsPage() {
  const { texts } = useLocale();
  const list = useQuery(importsQuery);
  const types = useQuery(typesQuery).data;
  const [deleted, setDeleted] = useState<Import>();
  const { imports } = texts;
  const typeOf = ({ plan }: Import) => {
    const type = types?.find(({ public_id }) => public_id === plan?.type_id);
    return type ? type.label || type.name : texts.none;
  };
  const begin = (
    <Link to="/imports/new" className={buttonClass("primary")}>
      <Upload size={14} aria-hidden="true" />
      {imports.begin}
    </Link>
  );
  return (
    <Page
      title={imports.title}
      hint={imports.hint}
      actions={
        <>
          <Link to="/sources" className={buttonClass("quiet")}>
            {texts.sources.title}
          </Link>
          {list.data?.length ? begin : undefined}
        </>
      }
    >
      {list.error && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.length === 0 && (
        <div className={styles.work}>
          <p>{imports.empty}</p>
          <div>{begin}</div>
        </div>
      )}
      {list.data && list.data.length > 0 && (
        <>
          <Table
            label={imports.title}
            columns={[
              imports.file,
              imports.type,
              imports.state,
              imports.result,
              imports.when,
              imports.actions,
            ]}
            rows={list.data.map((shown) => ({
              key: shown.id,
              cells: [
                <Link key="file" to="/imports/$id" params={{ id: String(shown.id) }}>
                  {shown.file.name}
                </Link>,
                typeOf(shown),
                <Badge key="state" variant={stateVariant(shown.state)}>
                  {imports.states[shown.state]}
                </Badge>,
                <Counts key="counts" shown={shown} />,
                <RelativeTime key="when" at={shown.created_at} />,
                <Button
                  key="delete"
                  variant="quiet"
                  aria-label={imports.deleteOf(shown.file.name)}
                  isDisabled={isRunning(shown)}
                  onPress={() => setDeleted(shown)}
                >
                  <Trash2 size={14} aria-hidden="true" />
                </Button>,
              ],
            }))}
          />
          <p className={styles.soft}>{imports.kept}</p>
        </>
      )}
      {deleted && <DeleteImport shown={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

function Counts({ shown }: { shown: Import }) {
  const { texts, number } = useLocale();
  const counts = countsOf(shown);
  if (counts.length === 0) return texts.imports.rowsOf(shown.rows, number(shown.rows));
  return (
    <span className={styles.counts}>
      {counts.map(([status, count]) => (
        <Badge key={status} variant={statusVariant(status)}>
          {`${number(count)} ${texts.imports.statuses[status]}`}
        </Badge>
      ))}
    </span>
  );
}

function DeleteImport({ shown, onClose }: { shown: Import; onClose: () => void }) {
  const { texts } = useLocale();
  const { name } = shown.file;
  const remove = useMutation({
    ...deleteImportMutation(shown.id),
    onSuccess: () => {
      toast(texts.imports.deleted(name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.imports.deleteOf(name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.imports.delete}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error ?? undefined}
    >
      <p>{texts.imports.deleteText}</p>
      {hasWritten(shown) && <p>{texts.imports.deleteKeeps}</p>}
    </ConfirmDialog>
  );
}
