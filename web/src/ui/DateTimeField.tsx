import { FieldError, Input, TextField } from "react-aria-components";
import { FieldLabel } from "./TextField";
import styles from "./TextField.module.css";

interface Props {
  label: string;
  error?: string | undefined;
  /** A local time to the second, such as 2026-01-31T12:00:00; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/** A day and a time of day, by the browser's own control. */
export function DateTimeField({ label, error, value, onChange }: Props) {
  return (
    <TextField
      type="datetime-local"
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles.field ?? ""}
    >
      <FieldLabel label={label} />
      <Input className={styles.input ?? ""} step={1} />
      <FieldError className={styles.error ?? ""}>{error}</FieldError>
    </TextField>
  );
}
