import styles from "./Badge.module.css";

interface Props {
  variant?: "plain" | "success" | "warning" | "danger";
  children: string;
}

/** A state in one or two words. */
export function Badge({ variant = "plain", children }: Props) {
  return <span className={`${styles.badge} ${styles[variant]}`}>{children}</span>;
}
