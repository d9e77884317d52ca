import { Calendar } from "lucide-react";
import { useLocale } from "~/i18n";
import { dateOf } from "~/model/object";
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
import { ValueSetting } from "../settings/ValueSetting";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** What follows the day in a point in time. */
const TIME = /(?<=^\d{4}-\d{2}-\d{2})[T ].*$/;
/** As German and British people write days. */
const DAY_FIRST = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/;

function View({ value }: ViewProps) {
  const locale = useLocale();
  const day = dayOf(value);
  if (!DAY.test(day)) return <span>{textOf(value)}</span>;
  return <time dateTime={day}>{locale.day(new Date(`${day}T00:00:00Z`))}</time>;
}

function Edit(props: EditProps) {
  const { value, onChange } = props;
  const asObject = dateOf(value) !== undefined;
  const change = (day: string) => {
    if (day === "") return onChange(null);
    // The form in which the date was stored stays.
    onChange(asObject ? { $date: Date.parse(`${day}T00:00:00Z`) } : day);
  };
  const day = dayOf(value).replace(TIME, "");
  // Another text stays to be seen.
  const type = day === "" || DAY.test(day) ? "date" : "text";
  return <TextField {...fieldProps(props)} type={type} value={day} onChange={change} />;
}

function Operand(props: OperandProps) {
  return <TextOperand {...props} type="date" />;
}

/** The day of a date in UTC; any other text as it is. */
function dayOf(value: unknown): string {
  return dateOf(value)?.toISOString().slice(0, 10) ?? textOf(value);
}

function parse(text: string): string | null {
  const trimmed = text.trim();
  const [, day, month, year] = DAY_FIRST.exec(trimmed) ?? [];
  if (day && month && year) return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return trimmed === "" ? null : trimmed;
}

export const date: Kind = {
  label: (texts) => texts.designer.kinds.date,
  View,
  Edit,
  format: dayOf,
  parse,
  width: 130,
  isEditableInPlace: true,
  holdsDates: true,
  alignsRight: false,
  operators: ORDER_OPERATORS,
  Operand,
  icon: Calendar,
  settings: { value: ValueSetting },
};
