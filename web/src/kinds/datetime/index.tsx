import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useLocale } from "~/i18n";
import { dateOf } from "~/model/object";
import { textOf } from "~/model/textOf";
import { TextField } from "~/ui/TextField";
import { type EditProps, fieldProps, type Kind, type OperandProps, type ViewProps } from "../kind";
import { TextOperand } from "../Operand";
import { parseTrimmed } from "../text";

const MINUTE_MS = 60_000;

function View({ value }: ViewProps) {
  const locale = useLocale();
  const time = dateOf(value);
  if (!time) return <span>{textOf(value)}</span>;
  return <time dateTime={time.toISOString()}>{locale.time(time)}</time>;
}

/** In the time zone of the browser, as it is shown. */
function Edit(props: EditProps) {
  const { value, onChange } = props;
  // Another text stays to be seen.
  const [isText] = useState(() => textOf(value) !== "" && !dateOf(value));
  const time = dateOf(value);
  return (
    <TextField
      {...fieldProps(props)}
      type={isText ? "text" : "datetime-local"}
      value={time && !isText ? localText(time) : format(value)}
      onChange={(text) => onChange(isText ? parseTrimmed(text) : dateFrom(text))}
    />
  );
}

function localText(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

function dateFrom(text: string): { $date: number } | null {
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? null : { $date: time };
}

function Operand(props: OperandProps) {
  return <TextOperand {...props} type="date" />;
}

/** With its offset, so that it means the same everywhere. */
function format(value: unknown): string {
  return dateOf(value)?.toISOString() ?? textOf(value);
}

export const datetime: Kind = {
  label: (texts) => texts.designer.kinds.datetime,
  View,
  Edit,
  format,
  parse: parseTrimmed,
  width: 170,
  isEditableInPlace: true,
  holdsDates: true,
  alignsRight: false,
  operators: ["at-least", "at-most", "empty", "not-empty"],
  Operand,
  icon: CalendarClock,
  settings: {},
};
