import type { ReactNode } from "react";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import styles from "../Dashboard.module.css";

interface Props {
  title: ReactNode;
  /** Takes the whole width. */
  isWide?: boolean;
  error?: unknown;
  isLoading?: boolean;
  children: ReactNode;
}

/** The frame of a widget. */
export function Card({ title, isWide = false, error, isLoading = false, children }: Props) {
  const { texts } = useLocale();
  return (
    <section className={`${styles.widget} ${isWide ? styles.wide : ""}`}>
      <h2>{title}</h2>
      {error ? <ProblemAlert error={error} /> : isLoading ? <p>{texts.loading}</p> : children}
    </section>
  );
}
