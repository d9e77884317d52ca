import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { MultiSelect } from "~/ui/MultiSelect";
import type { SettingProps } from "../kind";
import styles from "../settings/settings.module.css";

/** The types that a reference may point to. */
export function TargetsSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const options = types.map((type) => ({
    id: String(type.public_id),
    label: type.label || type.name,
  }));
  const choose = (ids: string[]) => {
    const targets = ids.map(Number);
    // A summary of a type that is no target any more would never be shown.
    const summaries = field.summaries?.filter(
      (summary) => targets.length === 0 || targets.includes(summary.type_id),
    );
    onChange({ ref_types: targets, summaries });
  };
  return (
    <div className={styles.group}>
      <MultiSelect
        label={texts.designer.targets}
        emptyText={texts.designer.anyTarget}
        options={options}
        value={(field.ref_types ?? []).map(String)}
        onChange={choose}
        isUnordered
      />
      {error && <p className={styles.error}>{error}</p>}
    </div>
  );
}
