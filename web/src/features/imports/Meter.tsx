import { useId } from "react";
import { useLocale } from "~/i18n";
import styles from "./imports.module.css";

/** How much of something is done, from 0 to 1. */
export function Meter({ label, value }: { label: string; value: number }) {
  const { region } = useLocale();
  const id = useId();
  const percent = new Intl.NumberFormat(region, { style: "percent" }).format(value);
  return (
    <div className={styles.meter}>
      <div className={styles.meterText}>
        <span id={id}>{label}</span>
        <span>{percent}</span>
      </div>
      <progress value={value} aria-labelledby={id} />
    </div>
  );
}
