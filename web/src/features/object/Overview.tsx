import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useId } from "react";
import { useSaveField } from "~/actions/useSaveField";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { FieldValue } from "~/kinds/FieldValue";
import { InlineEdit } from "~/kinds/InlineEdit";
import { kindOf } from "~/kinds/registry";
import type { InventoryRecord, RecordField } from "~/model/record";
import { SectionIndex } from "~/ui/SectionIndex";
import styles from "./Overview.module.css";

/** The fields by section; those of no section come last. */
export function Overview({ record, isPast }: { record: InventoryRecord; isPast: boolean }) {
  const { texts } = useLocale();
  const mayUpdate = useQuery(meQuery).data?.types.update.includes(record.type.id) ?? false;
  const mayEdit = mayUpdate && !isPast;
  const placed = new Set(record.sections.flatMap((section) => section.fields));
  const others = [...record.fields.keys()].filter((name) => !placed.has(name));
  const sections = [
    ...record.sections,
    { name: "", label: record.sections.length ? texts.otherFields : "", fields: others },
  ]
    .map(({ fields, ...section }) => ({
      ...section,
      fields: fields.flatMap((name) => record.fields.get(name) ?? []),
    }))
    .filter(({ fields }) => fields.length > 0);
  const id = useId();
  return (
    <div className={styles.sections}>
      {record.externals.length > 0 && (
        <ul className={styles.externals}>
          {record.externals.map((external) => (
            <li key={external.name}>
              <a href={external.href} target="_blank" rel="noreferrer noopener">
                {external.label || external.name}
                <ExternalLink size={13} aria-hidden="true" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {/* The banner of the past stays at the same edge. */}
      {!isPast && (
        <SectionIndex idPrefix={id} labels={sections.map(({ label, name }) => label || name)} />
      )}
      {sections.map((section, index) => (
        <Section
          key={section.name}
          id={`${id}${index}`}
          label={section.label}
          fields={section.fields}
          object={mayEdit ? record.id : undefined}
        />
      ))}
    </div>
  );
}

interface SectionProps {
  id: string;
  label: string;
  fields: RecordField[];
  /** The object, if its values can be edited here. */
  object: number | undefined;
}

function Section({ id, label, fields, object }: SectionProps) {
  const save = useSaveField();
  return (
    <section id={id} tabIndex={-1} aria-label={label || undefined} className={styles.section}>
      {label && <h2>{label}</h2>}
      <dl className={styles.fields}>
        {fields.map(({ definition, value, target }) => (
          <div
            key={definition.name}
            className={styles.field}
            data-wide={kindOf(definition).isWide ?? false}
          >
            <dt>{definition.label || definition.name}</dt>
            <dd>
              {object === undefined || !kindOf(definition).isEditableInPlace ? (
                <FieldValue field={definition} value={value} target={target} />
              ) : (
                <InlineEdit
                  field={definition}
                  value={value}
                  target={target}
                  onSave={(after, before) =>
                    save({ id: object, name: definition.name, before, after }, definition)
                  }
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
