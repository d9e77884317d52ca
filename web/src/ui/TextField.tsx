import {
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  type TextFieldProps,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import styles from "./TextField.module.css";

interface Props extends Omit<TextFieldProps, "className" | "style" | "children"> {
  label: string;
  /** The label is only read out. */
  hidesLabel?: boolean | undefined;
  placeholder?: string | undefined;
  /** A sentence below the field that helps to fill it. */
  hint?: string | undefined;
  error?: string | undefined;
  /** Several lines of text. */
  lines?: number;
}

export function TextField({
  label,
  hidesLabel = false,
  placeholder,
  hint,
  error,
  lines,
  ...props
}: Props) {
  return (
    <AriaTextField
      {...props}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      className={styles.field ?? ""}
    >
      <FieldLabel label={label} hides={hidesLabel} isRequired={props.isRequired} />
      {lines === undefined ? (
        <Input className={styles.input ?? ""} placeholder={placeholder} />
      ) : (
        <TextArea className={styles.area ?? ""} placeholder={placeholder} rows={lines} />
      )}
      {hint && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error ?? ""}>{error}</FieldError>
    </AriaTextField>
  );
}

interface LabelProps {
  label: string;
  hides?: boolean | undefined;
  isRequired?: boolean | undefined;
}

/** The label of a control, for those of other modules here, too. */
export function FieldLabel({ label, hides, isRequired }: LabelProps) {
  const { texts } = useLocale();
  return (
    <Label className={hides ? "visually-hidden" : styles.label}>
      {label}
      {isRequired && <span className={styles.required}> {texts.form.required}</span>}
    </Label>
  );
}
