import { Hash } from "lucide-react";
import { useState } from "react";
import { isSame } from "~/model/draft";
import { BigInteger, isBigInteger } from "~/model/json";
import { textOf } from "~/model/textOf";
import { TextField } from "~/ui/TextField";
import {
  type EditProps,
  fieldProps,
  type Kind,
  type OperandProps,
  ORDER_OPERATORS,
  type ViewProps,
} from "../kind";
import { TextOperand } from "../Operand";
import { PlaceholderSetting } from "../settings/PlaceholderSetting";
import { DefaultSetting } from "./DefaultSetting";

/** As stored: a port or a year has no separators. */
function View({ value }: ViewProps) {
  return <span>{textOf(value)}</span>;
}

function Edit(props: EditProps) {
  const { field, value, onChange } = props;
  // What is typed on the way to a number, such as "1.", has to stay.
  const [typed, setTyped] = useState(textOf(value));
  const shown = isSame(parse(typed), value) ? typed : textOf(value);
  return (
    <TextField
      {...fieldProps(props)}
      inputMode="decimal"
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(parse(text));
      }}
      placeholder={field.placeholder ?? undefined}
      hint={props.hidesLabel ? undefined : (field.helperText ?? undefined)}
    />
  );
}

function Operand(props: OperandProps) {
  return <TextOperand {...props} inputMode="decimal" />;
}

const DECIMAL = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
/** A thousand and more to some, three decimals to others. */
const AMBIGUOUS = /,\d{3}$/;

/** A number that JavaScript cannot hold exactly stays what was typed. */
function parse(text: string): number | BigInteger | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (isBigInteger(trimmed)) return new BigInteger(trimmed);
  if (!DECIMAL.test(trimmed) || AMBIGUOUS.test(trimmed)) return trimmed;
  const number = Number(trimmed.replace(",", "."));
  const isExact = Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : trimmed;
}

export const number: Kind = {
  label: (texts) => texts.designer.kinds.number,
  View,
  Edit,
  format: textOf,
  parse,
  unfit: (texts) => texts.form.notANumber,
  fits: (text) => text.trim() === "" || typeof parse(text) !== "string",
  width: 110,
  isEditableInPlace: true,
  isTyped: true,
  alignsRight: true,
  operators: ORDER_OPERATORS,
  Operand,
  icon: Hash,
  settings: { placeholder: PlaceholderSetting, default: DefaultSetting },
};
