import { useLocale } from "~/i18n";
import type { SettingProps } from "../kind";

/** The value that a new object begins with, in the control of the kind itself. */
export function ValueSetting({ kind: { Edit }, field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  return (
    <Edit
      field={withoutHelp(field, texts.designer.valueAtFirst)}
      value={field.value ?? null}
      error={error}
      // The API keeps it as a text. A box that is not checked begins like one without a value.
      onChange={(value) => onChange({ value: value ? String(value) : undefined })}
    />
  );
}

/** The field with another label, for a control that stands in a form of the designer. */
export function withoutHelp(field: SettingProps["field"], label: string) {
  return { ...field, label, required: false, helperText: null };
}
