import { useMutation, useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useUndoToast } from "~/actions/useUndoable";
import { deleteSettingMutation, settingsQuery } from "~/api/settings";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Table } from "~/ui/Table";
import styles from "./account.module.css";

/** What programs keep for the caller: to read and to delete. */
export function Settings({ user }: { user: number }) {
  const { texts } = useLocale();
  const toastDone = useUndoToast();
  const settings = useQuery(settingsQuery(user));
  const [chosen, setChosen] = useState<string>();
  const remove = useMutation({
    ...deleteSettingMutation(user),
    onSuccess: ({ requestId }, identifier) => {
      setChosen(undefined);
      toastDone(texts.accountPage.settingDeleted(identifier), requestId);
    },
  });
  if (settings.error && !settings.data) {
    return <ProblemAlert error={settings.error} onRetry={() => settings.refetch()} />;
  }
  const { setting, kind, content } = texts.accountPage;
  const rows = (settings.data ?? []).map(({ identifier, setting_type, payload }) => ({
    key: identifier,
    cells: [
      identifier,
      setting_type,
      <code key="content">{JSON.stringify(payload)}</code>,
      <Button
        key="delete"
        variant="quiet"
        aria-label={texts.accountPage.deleteSetting(identifier)}
        onPress={() => setChosen(identifier)}
      >
        <Trash2 size={15} aria-hidden="true" />
      </Button>,
    ],
  }));
  return (
    <>
      <p className={styles.soft}>{texts.accountPage.settingsHint}</p>
      {settings.data?.length === 0 && <p>{texts.accountPage.noSettings}</p>}
      {rows.length > 0 && (
        <Table
          label={texts.accountPage.settings}
          columns={[setting, kind, content, texts.admin.delete]}
          rows={rows}
        />
      )}
      {chosen !== undefined && (
        <ConfirmDialog
          title={texts.admin.deleteTitle(chosen)}
          isOpen
          onClose={() => setChosen(undefined)}
          confirmLabel={texts.accountPage.delete}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(chosen)}
          error={remove.error}
        >
          <p>{texts.accountPage.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
