import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./SectionIndex.module.css";

interface Props {
  /** What the ids of the sections begin with; their positions follow. */
  idPrefix: string;
  labels: readonly string[];
}

/** Fewer sections are found by scrolling. */
const FEW = 6;

/** Buttons that lead to the sections of a long page, and stay while it scrolls. */
export function SectionIndex({ idPrefix, labels }: Props) {
  const { texts } = useLocale();
  if (labels.length < FEW) return null;
  const show = (index: number) => {
    const section = document.getElementById(`${idPrefix}${index}`);
    section?.scrollIntoView({ block: "start" });
    // The next Tab goes to its first field.
    section?.focus({ preventScroll: true });
  };
  return (
    <nav className={styles.index} aria-label={texts.sections}>
      {labels.map((label, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is what a button leads to
        <Button key={index} variant="quiet" onPress={() => show(index)}>
          {label}
        </Button>
      ))}
    </nav>
  );
}
