import { useLocale } from "~/i18n";
import { valuesOf } from "~/model/filter/operand";
import { MultiSelect } from "~/ui/MultiSelect";
import { Select } from "~/ui/Select";
import type { OperandProps } from "../kind";

/** One of the options, with how many objects have it. */
export function Operand(props: OperandProps) {
  const { value, onChange, label, hidesLabel } = props;
  const options = useOptions(props);
  // A value that is no option any more is shown as it is.
  const isKnown = value === "" || options.some(({ id }) => id === value);
  const offered = isKnown ? options : [...options, { id: value, label: value }];
  return (
    <Select
      label={label}
      hidesLabel={hidesLabel}
      options={offered}
      value={value}
      onChange={onChange}
    />
  );
}

/** Several of the options, with how many objects have each. */
export function OperandList(props: OperandProps) {
  const { value, onChange, label, hidesLabel } = props;
  const { texts } = useLocale();
  return (
    <MultiSelect
      label={label}
      hidesLabel={hidesLabel}
      emptyText={texts.filter.chooseValues}
      options={useOptions(props)}
      value={valuesOf(value)}
      onChange={(names) => onChange(names.join("\n"))}
      isUnordered
    />
  );
}

function useOptions({ field, counts }: OperandProps) {
  const { number } = useLocale();
  return (field.options ?? []).map(({ name, label: text }) => ({
    id: name,
    label: counts ? `${text || name} (${number(counts.get(name) ?? 0)})` : text || name,
  }));
}
