import { X } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import {
  ComboBox as AriaComboBox,
  FieldError,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from "react-aria-components";
import { Button } from "./Button";
import styles from "./ComboBox.module.css";
import { FieldLabel } from "./TextField";

export interface ComboBoxOption {
  id: string;
  label: string;
  detail?: string;
}

interface Props {
  label: string;
  hidesLabel?: boolean | undefined;
  isRequired?: boolean | undefined;
  autoFocus?: boolean | undefined;
  error?: string | undefined;
  placeholder: string;
  emptyText: string;
  /** Nothing if there must always be a choice. */
  clearLabel: string | undefined;
  chosen: ComboBoxOption | undefined;
  /** What matches the text of the last `onSearch`. */
  options: readonly ComboBoxOption[];
  onSearch: (text: string) => void;
  onChange: (id: string | undefined) => void;
}

/** One of many, found by typing. */
export function ComboBox(props: Props) {
  const { chosen, options, onSearch, onChange, placeholder, emptyText, clearLabel } = props;
  // While nothing is typed, the field shows what is chosen.
  const [typed, setTyped] = useState<string>();
  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
  };
  const input = useRef<HTMLInputElement>(null);
  const label = chosen?.label ?? "";
  // What is typed replaces what is chosen, and is never added to it.
  const select = () => typed === undefined && input.current?.select();
  // The name of the choice may come when the field has the focus already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is the reason
  useLayoutEffect(() => {
    if (document.activeElement === input.current) select();
  }, [label]);
  return (
    <AriaComboBox
      className={styles.comboBox ?? ""}
      items={options}
      inputValue={typed ?? label}
      value={chosen?.id ?? null}
      isInvalid={props.error !== undefined}
      isRequired={props.isRequired ?? false}
      autoFocus={props.autoFocus ?? false}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsEmptyCollection
      onInputChange={type}
      onOpenChange={(opens) => opens && onSearch(typed ?? "")}
      // Not when the list closes: scrolling closes it, too.
      onBlur={() => setTyped(undefined)}
      onChange={(key) => {
        const option = options.find(({ id }) => id === key);
        if (!option) return;
        // Another text would open the list again.
        setTyped(option.label);
        onChange(option.id);
      }}
    >
      <FieldLabel label={props.label} hides={props.hidesLabel} isRequired={props.isRequired} />
      <div className={styles.control}>
        <Input
          ref={input}
          className={styles.input ?? ""}
          placeholder={placeholder}
          onFocus={select}
          onClick={select}
        />
        {chosen && clearLabel && (
          <Button
            slot={null}
            variant="quiet"
            aria-label={`${clearLabel}: ${props.label}`}
            onPress={() => onChange(undefined)}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        )}
      </div>
      <FieldError className={styles.error ?? ""}>{props.error}</FieldError>
      <Popover className={styles.popover ?? ""}>
        <ListBox<ComboBoxOption>
          className={styles.list ?? ""}
          renderEmptyState={() => <p className={styles.empty}>{emptyText}</p>}
        >
          {({ label, detail }) => (
            <ListBoxItem textValue={label} className={styles.option ?? ""}>
              <span>{label}</span>
              {detail && <span className={styles.detail}>{detail}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
