import { useLocale } from "~/i18n";
import { TextField } from "~/kit/TextField";
import type { OperandProps } from "./kind";

interface Props extends OperandProps {
  inputMode?: "decimal";
}

const LINES = 4;

/** A value as text, or one on each line. */
export function TextOperand(props: Props) {
  const { operator, value, onChange, label, hidesLabel, autoFocus, inputMode } = props;
  const { texts } = useLocale();
  const isSeveral = operator === "one-of";
  return (
    <TextField
      label={label}
      hidesLabel={hidesLabel}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus ?? false}
      {...(isSeveral ? { lines: LINES, hint: texts.filter.onePerLine } : {})}
      {...(inputMode && !isSeveral ? { inputMode } : {})}
    />
  );
}
