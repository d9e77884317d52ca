import { Type } from "lucide-react";
import { useState } from "react";
import { isAddress } from "~/model/address";
import { textOf } from "~/model/textOf";
import { TextField } from "~/ui/TextField";
import { type EditProps, fieldProps, type Kind, TEXT_OPERATORS, type ViewProps } from "../kind";
import { PlaceholderSetting } from "../settings/PlaceholderSetting";
import { RegexSetting } from "../settings/RegexSetting";
import { ValueSetting } from "../settings/ValueSetting";
import styles from "./text.module.css";

const LINES = 3;

/** Addresses are easier to compare in type of one width. */
function View({ value }: ViewProps) {
  const text = textOf(value);
  return <span className={isAddress(text) ? styles.address : undefined}>{text}</span>;
}

function Edit(props: EditProps) {
  const { field, value, onChange } = props;
  // A control of one line would take line ends out.
  const [hasLines] = useState(() => /[\r\n]/.test(textOf(value)));
  return (
    <TextField
      {...fieldProps(props)}
      {...(hasLines ? { lines: LINES } : {})}
      value={textOf(value)}
      onChange={(text) => onChange(parseText(text))}
      placeholder={field.placeholder ?? undefined}
      hint={props.hidesLabel ? undefined : (field.helperText ?? undefined)}
    />
  );
}

/** A field without a text has the value null. */
export function parseText(text: string): string | null {
  return text === "" ? null : text;
}

/** For kinds to which spaces around a value mean nothing. */
export function parseTrimmed(text: string): string | null {
  return text.trim() || null;
}

/** Also every kind that this release does not know. */
export const text: Kind = {
  label: (texts) => texts.designer.kinds.text,
  View,
  Edit,
  format: textOf,
  parse: parseText,
  width: 180,
  isEditableInPlace: true,
  isTyped: true,
  canAppend: true,
  alignsRight: false,
  operators: TEXT_OPERATORS,
  icon: Type,
  settings: { placeholder: PlaceholderSetting, regex: RegexSetting, value: ValueSetting },
};
