import type { ImportColumn, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { lackingFields, type Mapping, unusedColumns } from "~/model/importMapping";
import styles from "../imports.module.css";

interface Props {
  mapping: Mapping;
  type: ObjectType;
  columns: readonly ImportColumn[];
}

/** What does not come along, and what the rows lack. */
export function Lacks({ mapping, type, columns }: Props) {
  const { texts } = useLocale();
  const names = columns.map(({ name }) => name);
  const unused = unusedColumns(mapping, names);
  const lacking = lackingFields(mapping, type).map(({ label, name }) => label || name);
  const isNothing = mapping.goals.size === 0;
  return (
    <div aria-live="polite" className={styles.lacks}>
      {isNothing && <p className={styles.alert}>{texts.imports.unusedAll}</p>}
      {!isNothing && unused.length > 0 && (
        <p className={styles.alert}>{texts.imports.unused(unused.length, unused.join(", "))}</p>
      )}
      {lacking.length > 0 && (
        <p className={styles.alert}>{texts.imports.lacking(lacking.join(", "))}</p>
      )}
    </div>
  );
}
