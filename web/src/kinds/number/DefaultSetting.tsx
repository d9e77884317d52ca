import { useLocale } from "~/i18n";
import { BigInteger } from "~/model/json";
import type { SettingProps } from "../kind";
import { withoutHelp } from "../settings/ValueSetting";

function isWhole(value: unknown): boolean {
  return value instanceof BigInteger || Number.isSafeInteger(value);
}

/** The number that a new object begins with. */
export function DefaultSetting({ kind: { Edit }, field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  return (
    <Edit
      field={withoutHelp(field, texts.designer.valueAtFirst)}
      value={field.default ?? field.value ?? null}
      error={error}
      // The API takes whole numbers only.
      onChange={(value) =>
        onChange({
          value: undefined,
          default: isWhole(value) ? (value as number) : undefined,
        })
      }
    />
  );
}
