import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { TextField } from "~/kit/TextField";
import type { SettingProps } from "./setting";

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

/** The value that a new object begins with, in the control of the kind itself. */
export function ValueSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const { Edit } = kindOf(field);
  return (
    <Edit
      field={bare(field, texts.designer.valueAtFirst)}
      value={field.value ?? null}
      error={error}
      // The API keeps it as a text. A box that is not checked begins like one without a value.
      onChange={(value) => onChange({ value: value ? String(value) : undefined })}
    />
  );
}

export function DefaultSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const { Edit } = kindOf(field);
  return (
    <Edit
      field={bare(field, texts.designer.valueAtFirst)}
      value={field.default ?? field.value ?? null}
      error={error}
      // The API takes whole numbers only.
      onChange={(value) =>
        onChange({
          value: undefined,
          default: Number.isSafeInteger(value) ? Number(value) : undefined,
        })
      }
    />
  );
}

function bare(field: SettingProps["field"], label: string) {
  return { ...field, label, required: false, helperText: null };
}
