import { List } from "lucide-react";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { textOf } from "~/model/textOf";
import { Select } from "~/ui/Select";
import { CHOICE_OPERATORS, type EditProps, fieldProps, type Kind, type ViewProps } from "../kind";
import { ValueSetting } from "../settings/ValueSetting";
import { parseText } from "../text";
import { Operand, OperandList } from "./Operand";
import { OptionsSetting } from "./OptionsSetting";

function View({ field, value }: ViewProps) {
  return <span>{format(value, field)}</span>;
}

/** No name of an option is empty. */
const NOTHING = "";

function Edit(props: EditProps) {
  const { field, value, onChange } = props;
  const { texts } = useLocale();
  const options = (field.options ?? []).map(({ name, label }) => ({
    id: name,
    label: label || name,
  }));
  const current = textOf(value);
  // A value that is no option any more is shown as it is.
  if (current !== "" && !options.some(({ id }) => id === current)) {
    options.push({ id: current, label: current });
  }
  return (
    <Select
      {...fieldProps(props)}
      options={[{ id: NOTHING, label: texts.form.nothing }, ...options]}
      value={current}
      onChange={(name) => onChange(name === NOTHING ? null : name)}
    />
  );
}

function format(value: unknown, field: FieldDefinition): string {
  const option = field.options?.find((option) => option.name === value);
  return option?.label || textOf(value);
}

/** An option by its name or its label. */
function parse(text: string, field: FieldDefinition): string | null {
  const wanted = text.trim().toLowerCase();
  const option =
    field.options?.find(({ name }) => name === text) ??
    field.options?.find(({ label }) => label?.toLowerCase() === wanted);
  return option?.name ?? parseText(text.trim());
}

export const select: Kind = {
  label: (texts) => texts.designer.kinds.select,
  View,
  Edit,
  format,
  parse,
  width: 140,
  isEditableInPlace: true,
  commitsOnChange: true,
  alignsRight: false,
  operators: CHOICE_OPERATORS,
  Operand,
  OperandList,
  firstOperand: ({ options }) => options?.[0]?.name ?? "",
  icon: List,
  settings: { options: OptionsSetting, value: ValueSetting },
  initial: { options: [] },
};

/** The same as buttons in other clients. */
export const radio: Kind = { ...select, label: (texts) => texts.designer.kinds.radio };
