import { useLocale } from "~/i18n";
import { Choice } from "~/kit/Choice";
import { ListChoice } from "~/kit/ListChoice";
import { valuesOf } from "~/model/filter/condition";
import type { OperandProps } from "../kind";

/** One of the options, with how many objects have it, or several of them. */
export function Operand(props: OperandProps) {
  const { field, operator, value, onChange, label, hidesLabel, counts } = props;
  const { texts, number } = useLocale();
  const options = (field.options ?? []).map(({ name, label: text }) => ({
    id: name,
    label: counts ? `${text || name} (${number(counts.get(name) ?? 0)})` : text || name,
  }));
  if (operator === "one-of") {
    return (
      <ListChoice
        label={label}
        hidesLabel={hidesLabel}
        emptyText={texts.filter.chooseValues}
        options={options}
        value={valuesOf(value)}
        onChange={(names) => onChange(names.join("\n"))}
        isUnordered
      />
    );
  }
  // A value that is no option any more is shown as it is.
  const isKnown = value === "" || options.some(({ id }) => id === value);
  const offered = isKnown ? options : [...options, { id: value, label: value }];
  return (
    <Choice
      label={label}
      hidesLabel={hidesLabel}
      options={offered}
      value={value}
      onChange={onChange}
    />
  );
}
