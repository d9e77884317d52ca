import { Plus } from "lucide-react";
import { useState } from "react";
import { useInstallPack } from "~/actions/useInstallPack";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import { toastFailure } from "~/ui/Toasts";
import { TypeIcon } from "~/ui/TypeIcon";
import { PACKS, type PackName, packNamed } from "./catalogue";
import styles from "./PackList.module.css";

/** All starter packs, each with a button that adds its types. */
export function PackList({ onInstalled }: { onInstalled?: () => void }) {
  const { texts } = useLocale();
  const { install, isReady } = useInstallPack();
  const [busy, setBusy] = useState<PackName>();
  const run = async (name: PackName, label: string) => {
    setBusy(name);
    try {
      const pack = await packNamed(name);
      await install(pack, (added) => texts.designer.packInstalled(label, added.length));
      onInstalled?.();
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <ul className={styles.packs}>
      {PACKS.map(({ name, icon }) => {
        const [label, about] = texts.designer.packs[name] ?? [name, ""];
        return (
          <li key={name} className={styles.pack}>
            <TypeIcon name={icon} size={18} />
            <div className={styles.text}>
              <p className={styles.label}>{label}</p>
              <p className={styles.about}>{about}</p>
            </div>
            <Button
              aria-label={texts.designer.installPack(label)}
              isDisabled={!isReady || busy !== undefined}
              onPress={() => run(name, label)}
            >
              <Plus size={14} aria-hidden="true" />
              {texts.designer.install}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
