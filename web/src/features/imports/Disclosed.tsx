import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./imports.module.css";

/** What few people need, behind its name. */
export function Disclosed({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={styles.details}>
      <summary>
        <ChevronRight size={14} aria-hidden="true" />
        {label}
      </summary>
      {children}
    </details>
  );
}
