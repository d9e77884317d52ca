import { SquareCheck } from "lucide-react";
import { useLocale } from "~/i18n";
import { textOf } from "~/model/textOf";
import { Checkbox } from "~/ui/Checkbox";
import { Select } from "~/ui/Select";
import {
  type EditProps,
  FLAG_OPERATORS,
  fieldProps,
  type Kind,
  type OperandProps,
  type ViewProps,
} from "../kind";
import { ValueSetting } from "../settings/ValueSetting";

function View({ value }: ViewProps) {
  const { texts } = useLocale();
  return <span>{isSet(value) ? texts.yes : texts.no}</span>;
}

function Edit(props: EditProps) {
  const { value, onChange } = props;
  const { isRequired: _, ...others } = fieldProps(props);
  return <Checkbox {...others} isSelected={isSet(value)} onChange={onChange} />;
}

function Operand({ value, onChange, label, hidesLabel }: OperandProps) {
  const { texts } = useLocale();
  const options = [
    { id: "true", label: texts.yes },
    { id: "false", label: texts.no },
  ];
  return (
    <Select
      label={label}
      hidesLabel={hidesLabel}
      options={options}
      value={value}
      onChange={onChange}
    />
  );
}

function isSet(value: unknown): boolean {
  return value === true || value === "true";
}

const YES = /^(true|yes|ja|x|1)$/i;
const NO = /^(false|no|nein|0)$/i;

function parse(text: string): boolean | string | null {
  const trimmed = text.trim();
  if (YES.test(trimmed)) return true;
  if (NO.test(trimmed)) return false;
  return trimmed === "" ? null : trimmed;
}

export const checkbox: Kind = {
  label: (texts) => texts.designer.kinds.checkbox,
  View,
  Edit,
  format: textOf,
  parse,
  untouched: false,
  operandText: (value, texts) => (isSet(value) ? texts.yes : texts.no),
  width: 100,
  isEditableInPlace: true,
  commitsOnChange: true,
  alignsRight: false,
  operators: FLAG_OPERATORS,
  Operand,
  icon: SquareCheck,
  settings: { value: ValueSetting },
};
