import { useState } from "react";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import styles from "./TryField.module.css";

/** The control that people will use, with the settings of the draft. */
export function TryField({ field }: { field: FieldDefinition }) {
  const { texts } = useLocale();
  const [value, setValue] = useState<unknown>(field.value ?? field.default ?? null);
  const { Edit } = kindOf(field);
  return (
    <section className={styles.sample} aria-labelledby="try-title">
      <h3 id="try-title" className={styles.title}>
        {texts.designer.tryIt}
      </h3>
      <Edit key={field.type} field={field} value={value} onChange={setValue} />
    </section>
  );
}
