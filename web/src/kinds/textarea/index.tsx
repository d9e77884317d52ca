import { AlignLeft } from "lucide-react";
import { textOf } from "~/model/textOf";
import { TextField } from "~/ui/TextField";
import { type EditProps, fieldProps, type Kind, TEXT_OPERATORS, type ViewProps } from "../kind";
import { PlaceholderSetting } from "../settings/PlaceholderSetting";
import { RegexSetting } from "../settings/RegexSetting";
import { ValueSetting } from "../settings/ValueSetting";
import { parseText } from "../text";
import styles from "./textarea.module.css";

const LINES = 4;

function View({ value }: ViewProps) {
  return <span className={styles.lines}>{textOf(value)}</span>;
}

function Edit(props: EditProps) {
  const { field, value, onChange } = props;
  return (
    <TextField
      {...fieldProps(props)}
      lines={LINES}
      value={textOf(value)}
      onChange={(text) => onChange(parseText(text))}
      placeholder={field.placeholder ?? undefined}
      hint={props.hidesLabel ? undefined : (field.helperText ?? undefined)}
    />
  );
}

export const textarea: Kind = {
  label: (texts) => texts.designer.kinds.textarea,
  View,
  Edit,
  format: textOf,
  parse: parseText,
  width: 240,
  isWide: true,
  isEditableInPlace: true,
  isTyped: true,
  canAppend: true,
  alignsRight: false,
  operators: TEXT_OPERATORS,
  icon: AlignLeft,
  settings: { placeholder: PlaceholderSetting, regex: RegexSetting, value: ValueSetting },
};
