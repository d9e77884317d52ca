import styles from "./Badge.module.css";

interface Props {
  look?: "plain" | "success" | "warning" | "danger";
  children: string;
}

/** A state in one or two words. */
export function Badge({ look = "plain", children }: Props) {
  return <span className={`${styles.badge} ${styles[look]}`}>{children}</span>;
}
