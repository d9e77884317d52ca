import { X } from "lucide-react";
import { Button } from "react-aria-components";
import { useLocale } from "~/i18n";
import styles from "./Chip.module.css";

/** A condition that can be removed. */
export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { texts } = useLocale();
  return (
    <span className={styles.chip}>
      <span className={styles.text}>{text}</span>
      <Button
        className={styles.remove ?? ""}
        aria-label={texts.removeFilter(text)}
        onPress={onRemove}
      >
        <X size={14} aria-hidden="true" />
      </Button>
    </span>
  );
}
