import { TriangleAlert } from "lucide-react";
import { useLocale } from "~/i18n";
import { withoutCall } from "~/model/typeFaults";
import { ProblemAlert } from "~/ui/Alert";
import styles from "./Alerts.module.css";
import type { useTypeDesign } from "./useTypeDesign";

/** What the server refused, or stored with doubts. */
export function Alerts({ types }: { types: ReturnType<typeof useTypeDesign> }) {
  const { texts } = useLocale();
  const { problem, faults, warnings, isConflict, isChanged } = types;
  if (problem && !isConflict) {
    return (
      <div className={styles.alerts}>
        <ProblemAlert error={problem} />
        {faults.all.length > 1 && (
          <List title={texts.designer.faults(faults.all.length)} items={faults.all} showsPlace />
        )}
      </div>
    );
  }
  if (warnings.length === 0 || isChanged) return null;
  return <List title={texts.designer.warnings} items={warnings} />;
}

interface ListProps {
  title: string;
  items: readonly { pointer: string; detail: string }[];
  /** Where it is in the body. */
  showsPlace?: boolean;
}

function List({ title, items, showsPlace = false }: ListProps) {
  return (
    <section role="status" className={styles.list}>
      <h2>
        <TriangleAlert size={14} aria-hidden="true" />
        {title}
      </h2>
      <ul>
        {items.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            {showsPlace && <code>{pointer}</code>} {withoutCall(detail)}
          </li>
        ))}
      </ul>
    </section>
  );
}
