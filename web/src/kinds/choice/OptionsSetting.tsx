import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { useLocale } from "~/i18n";
import { nameFrom } from "~/model/apiName";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import type { SettingProps } from "../kind";
import styles from "../settings/settings.module.css";

type Option = NonNullable<SettingProps["field"]["options"]>[number];

/** The values that people choose from, in their order. */
export function OptionsSetting({ field, stored, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const options = field.options ?? [];
  const set = (next: Option[]) => onChange({ options: next });
  const change = (index: number, part: Partial<Option>) =>
    set(options.map((option, at) => (at === index ? { ...option, ...part } : option)));
  const relabel = (index: number, label: string) => {
    const option = options[index];
    // A name that nobody chose follows the label. Objects hold names, so stored ones stay.
    const isStored = stored?.options?.some(({ name }) => name === option?.name) ?? false;
    const follows = option && !isStored && ["", nameFrom(option.label)].includes(option.name);
    change(index, follows ? { label, name: nameFrom(label) } : { label });
  };
  const move = (index: number, by: number) => {
    const option = options[index];
    if (option) set(options.toSpliced(index, 1).toSpliced(index + by, 0, option));
  };
  const add = () => {
    const label = texts.designer.newOption(options.length + 1);
    set([...options, { label, name: nameFrom(label) }]);
  };
  return (
    <div role="group" aria-label={texts.designer.options} className={styles.group}>
      <h3>{texts.designer.options}</h3>
      {options.length === 0 && <p className={styles.hint}>{texts.designer.noOptions}</p>}
      <ol className={styles.options}>
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is its position while its name is typed
          <li key={index} className={styles.option}>
            <TextField
              label={texts.designer.optionLabel(index + 1)}
              hidesLabel
              value={option.label ?? ""}
              onChange={(label) => relabel(index, label)}
            />
            <TextField
              label={texts.designer.optionName(index + 1)}
              hidesLabel
              value={option.name}
              onChange={(name) => change(index, { name })}
            />
            <Button
              variant="quiet"
              aria-label={texts.designer.moveUp(option.label)}
              isDisabled={index === 0}
              onPress={() => move(index, -1)}
            >
              <ArrowUp size={14} aria-hidden="true" />
            </Button>
            <Button
              variant="quiet"
              aria-label={texts.designer.moveDown(option.label)}
              isDisabled={index === options.length - 1}
              onPress={() => move(index, 1)}
            >
              <ArrowDown size={14} aria-hidden="true" />
            </Button>
            <Button
              variant="quiet"
              aria-label={texts.designer.remove(option.label)}
              onPress={() => set(options.toSpliced(index, 1))}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ol>
      <div>
        <Button onPress={add}>
          <Plus size={14} aria-hidden="true" />
          {texts.designer.addOption}
        </Button>
      </div>
      {error && <p className={styles.error}>{error}</p>}
    </div>
  );
}
