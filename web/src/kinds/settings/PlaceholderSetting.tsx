import { useLocale } from "~/i18n";
import { TextField } from "~/ui/TextField";
import type { SettingProps } from "../kind";

export function PlaceholderSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  return (
    <TextField
      label={texts.designer.placeholder}
      value={field.placeholder ?? ""}
      error={error}
      onChange={(text) => onChange({ placeholder: text || undefined })}
    />
  );
}
