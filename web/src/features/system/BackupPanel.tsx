import { useMutation } from "@tanstack/react-query";
import { useRights } from "~/actions/rights";
import { requestBackup } from "~/api/system";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import { Command } from "~/ui/Command";
import { Panel } from "~/ui/Page";
import { toast, toastFailure } from "~/ui/Toasts";
import styles from "./SystemPage.module.css";

/** Asks the server for a backup, and shows how to make and restore one by hand. */
export function BackupPanel() {
  const { texts } = useLocale();
  const mayAsk = useRights().has("base.system.edit");
  const backup = useMutation({
    mutationFn: requestBackup,
    onSuccess: () => toast(texts.systemPage.backupAsked),
    onError: toastFailure,
  });
  return (
    <Panel title={texts.systemPage.backup}>
      {mayAsk && (
        <div>
          <Button isPending={backup.isPending} onPress={() => backup.mutate()}>
            {texts.systemPage.backupNow}
          </Button>
        </div>
      )}
      <p className={styles.soft}>{texts.systemPage.backupHint}</p>
      <Command
        label={texts.systemPage.backupToFile}
        line="stockroom backup --data ./data inventory.backup"
      />
      <Command label={texts.systemPage.check} line="stockroom check --data ./data" />
      <Command
        label={texts.systemPage.restore}
        line="stockroom restore --data ./restored inventory.backup"
      />
      <Command
        label={texts.systemPage.scheduled}
        line="stockroom serve --data ./data --backup-directory ./backups"
      />
    </Panel>
  );
}
