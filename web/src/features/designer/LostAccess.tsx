import { Ban } from "lucide-react";
import { useLocale } from "~/i18n";
import type { lostAccess } from "~/model/typeAccess";
import styles from "./ReviewDialog.module.css";

interface Props {
  lost: ReturnType<typeof lostAccess>;
  /** Whether groups that the caller does not know lose their access, too. */
  hidesOthers: boolean;
}

/** Who may do less with the objects once the type is saved. */
export function LostAccess({ lost, hidesOthers }: Props) {
  const { texts } = useLocale();
  if (lost.length === 0 && !hidesOthers) return null;
  const { permissions, losesAccess } = texts.designer;
  return (
    <section className={styles.warnings}>
      <h3>
        <Ban size={14} aria-hidden="true" />
        {texts.designer.lostAccess}
      </h3>
      <ul className={styles.changes}>
        {lost.map((group) => (
          <li key={group.label}>
            {losesAccess(group.label, group.lost.map((name) => permissions[name]).join(", "))}
          </li>
        ))}
        {hidesOthers && <li>{texts.designer.aclOthers}</li>}
      </ul>
    </section>
  );
}
