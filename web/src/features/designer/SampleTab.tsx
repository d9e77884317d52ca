import { useState } from "react";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { initialValues } from "~/model/draft";
import { sectionsOf } from "~/model/object";
import { bodyOf, type TypeDraft } from "~/model/typeDraft";
import styles from "./SampleTab.module.css";

/** The form of an object, from the draft. */
export function SampleTab({ draft }: { draft: TypeDraft }) {
  const { texts } = useLocale();
  const { fields, render_meta } = bodyOf(draft);
  const [values, setValues] = useState(() => initialValues(fields));
  const sections = sectionsOf({ ...draft.type, fields, render_meta }, texts.otherFields);
  if (fields.length === 0) return <p className={styles.hint}>{texts.designer.sampleEmpty}</p>;
  return (
    <div className={styles.page}>
      <p className={styles.hint}>{texts.designer.sampleHint}</p>
      {sections.map((section) => (
        <section key={section.name} className={styles.section}>
          {section.label && <h2>{section.label}</h2>}
          <div className={styles.fields}>
            {section.fields.map((field) => {
              const { Edit, isWide } = kindOf(field);
              return (
                <div key={field.name} className={styles.field} data-wide={isWide ?? false}>
                  <Edit
                    field={field}
                    value={values.get(field.name)}
                    onChange={(value) => setValues(new Map(values).set(field.name, value))}
                  />
                </div>
              );
            })}
          </div>
        </section>
      ))}
    </div>
  );
}
