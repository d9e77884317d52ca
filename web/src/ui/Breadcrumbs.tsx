import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useLocale } from "~/i18n";
import styles from "./Breadcrumbs.module.css";

/** Where a page stands: names, or links to what is above it. */
export function Breadcrumbs({ items }: { items: readonly { id: string; content: ReactNode }[] }) {
  const { texts } = useLocale();
  if (items.length === 0) return null;
  return (
    <nav aria-label={texts.breadcrumbs}>
      <ol className={styles.crumbs}>
        {items.map(({ id, content }, index) => (
          <li key={id}>
            {index > 0 && <ChevronRight size={13} aria-hidden="true" />}
            {content}
          </li>
        ))}
      </ol>
    </nav>
  );
}
