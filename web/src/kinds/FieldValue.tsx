import { useLocale } from "~/i18n";
import type { ViewProps } from "./kind";
import { kindOf } from "./registry";

/** The value of a field, or a dash. */
export function FieldValue(props: ViewProps) {
  const { texts } = useLocale();
  const { field, value } = props;
  if (value === null || value === undefined || value === "") {
    return <span aria-hidden="true">{texts.none}</span>;
  }
  const { View } = kindOf(field);
  return <View {...props} />;
}
