import { Check, ChevronDown } from "lucide-react";
import {
  Select as AriaSelect,
  Button,
  FieldError,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from "react-aria-components";
import styles from "./Select.module.css";
import { FieldLabel } from "./TextField";

interface Props<T extends string> {
  label: string;
  hidesLabel?: boolean | undefined;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  error?: string | undefined;
  autoFocus?: boolean | undefined;
  options: readonly { id: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few. */
export function Select<T extends string>({
  label,
  hidesLabel,
  isRequired,
  isDisabled,
  error,
  autoFocus,
  options,
  value,
  onChange,
}: Props<T>) {
  return (
    <AriaSelect
      className={styles.select ?? ""}
      value={value}
      isInvalid={error !== undefined}
      isDisabled={isDisabled ?? false}
      autoFocus={autoFocus ?? false}
      validationBehavior="aria"
      onChange={(key) => {
        const chosen = options.find((option) => option.id === key);
        if (chosen) onChange(chosen.id);
      }}
    >
      <FieldLabel label={label} hides={hidesLabel} isRequired={isRequired} />
      <Button className={styles.button ?? ""}>
        <SelectValue />
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <FieldError className={styles.error ?? ""}>{error}</FieldError>
      <Popover className={styles.popover ?? ""}>
        <ListBox items={options} className={styles.list ?? ""}>
          {(option) => (
            <ListBoxItem textValue={option.label} className={styles.option ?? ""}>
              {({ isSelected }) => (
                <>
                  <span>{option.label}</span>
                  {isSelected && <Check size={14} aria-hidden="true" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
