import { Check, Minus } from "lucide-react";
import { useId } from "react";
import { Checkbox as AriaCheckbox, type CheckboxProps } from "react-aria-components";
import styles from "./Checkbox.module.css";

interface Props extends Omit<CheckboxProps, "className" | "style" | "children"> {
  label: string;
  hidesLabel?: boolean | undefined;
  error?: string | undefined;
}

export function Checkbox({ label, hidesLabel, error, ...props }: Props) {
  const errorId = useId();
  return (
    <span className={styles.field}>
      <AriaCheckbox
        {...props}
        isInvalid={error !== undefined}
        aria-describedby={error ? errorId : undefined}
        className={styles.checkbox ?? ""}
      >
        {({ isSelected, isIndeterminate }) => (
          <>
            <span className={styles.box}>
              {isIndeterminate && <Minus size={13} aria-hidden="true" />}
              {isSelected && !isIndeterminate && <Check size={13} aria-hidden="true" />}
            </span>
            <span className={hidesLabel ? "visually-hidden" : undefined}>{label}</span>
          </>
        )}
      </AriaCheckbox>
      {error && (
        <span id={errorId} className={styles.error}>
          {error}
        </span>
      )}
    </span>
  );
}
