import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { fieldsOf } from "~/model/object";
import { MultiSelect } from "~/ui/MultiSelect";
import { TextField } from "~/ui/TextField";
import type { SettingProps } from "../kind";
import styles from "../settings/settings.module.css";

type Summary = NonNullable<SettingProps["field"]["summaries"]>[number];

/** How a reference shows its target, for each type that it may point to. */
export function SummariesSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const targets = (field.ref_types ?? []).flatMap(
    (id) => types.find((type) => type.public_id === id) ?? [],
  );
  const summaries = field.summaries ?? [];
  if (targets.length === 0) return null;
  const set = (type: ObjectType, part: Partial<Summary>) => {
    const id = type.public_id;
    const before = summaries.find((summary) => summary.type_id === id);
    const icon = type.render_meta.icon ?? "";
    const summary = {
      ...(before ?? { type_id: id, line: "{}", label: type.label, icon, prefix: false }),
      ...part,
    };
    const others = summaries.filter((other) => other.type_id !== id);
    const next = summary.fields?.length ? [...others, summary] : others;
    onChange({ summaries: next.length ? next : undefined });
  };
  return (
    <div role="group" aria-label={texts.designer.summaries} className={styles.group}>
      <h3>{texts.designer.summaries}</h3>
      <p className={styles.hint}>{texts.designer.summariesHint}</p>
      {targets.map((type) => {
        const summary = summaries.find((summary) => summary.type_id === type.public_id);
        const fields = summary?.fields ?? [];
        return (
          <div key={type.public_id} className={styles.tester}>
            <MultiSelect
              label={texts.designer.fieldsOf(type.label || type.name)}
              emptyText={texts.designer.ownSummary}
              options={fieldsOf(type).map(({ name, label }) => ({
                id: name,
                label: label || name,
              }))}
              value={fields}
              onChange={(chosen) =>
                set(type, { fields: chosen, line: lineFor(summary, chosen.length) })
              }
            />
            {summary && (
              <TextField
                label={texts.designer.line}
                hint={texts.designer.lineHint}
                value={summary.line}
                onChange={(line) => set(type, { line })}
              />
            )}
          </div>
        );
      })}
      {error && <p className={styles.error}>{error}</p>}
    </div>
  );
}

/** A line with a place for each field. */
function lineFor(summary: Summary | undefined, fields: number): string {
  const before = summary?.fields?.length ?? 0;
  if (summary && before === fields) return summary.line;
  if (summary && before === fields - 1) return `${summary.line} {}`;
  return Array.from({ length: fields }, () => "{}").join(" ");
}
