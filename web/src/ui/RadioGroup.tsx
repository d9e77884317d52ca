import { RadioGroup as AriaRadioGroup, Label, Radio } from "react-aria-components";
import styles from "./RadioGroup.module.css";

interface Props<T extends string> {
  label: string;
  options: readonly { id: T; label: string; text: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, each with a sentence that says what it means. */
export function RadioGroup<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <AriaRadioGroup
      value={value}
      onChange={(id) => onChange(id as T)}
      className={styles.group ?? ""}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      {options.map((option) => (
        <Radio key={option.id} value={option.id} className={styles.radio ?? ""}>
          <span className={styles.dot} />
          <span>
            <span className={styles.name}>{option.label}</span>
            <span className={styles.text}>{option.text}</span>
          </span>
        </Radio>
      ))}
    </AriaRadioGroup>
  );
}
