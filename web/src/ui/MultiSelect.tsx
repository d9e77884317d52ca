import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useId, useState } from "react";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import { ComboBox } from "./ComboBox";
import styles from "./MultiSelect.module.css";

interface Option {
  id: string;
  label: string;
}

interface Props {
  label: string;
  hidesLabel?: boolean | undefined;
  hint?: string | undefined;
  /** Shown if nothing is chosen. */
  emptyText: string;
  options: readonly Option[];
  /** Ids in their order; those of no option are shown as they are. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** The order means nothing. */
  isUnordered?: boolean;
}

/** Some of many, in an order. */
export function MultiSelect(props: Props) {
  const { label, hint, emptyText, options, value, onChange, isUnordered = false } = props;
  const { texts } = useLocale();
  const [text, setText] = useState("");
  const titleId = useId();
  const wanted = text.trim().toLowerCase();
  const left = options.filter(
    (option) => !value.includes(option.id) && option.label.toLowerCase().includes(wanted),
  );
  const move = (index: number, by: number) => {
    const id = value[index];
    if (id !== undefined) onChange(value.toSpliced(index, 1).toSpliced(index + by, 0, id));
  };
  return (
    <div role="group" aria-labelledby={titleId} className={styles.group}>
      <span id={titleId} className={props.hidesLabel ? "visually-hidden" : styles.label}>
        {label}
      </span>
      {value.length === 0 && <p className={styles.hint}>{emptyText}</p>}
      <ul className={styles.chosen}>
        {value.map((id, index) => {
          const name = options.find((option) => option.id === id)?.label ?? id;
          return (
            <li key={id} className={styles.item}>
              <span className={styles.name}>{name}</span>
              {!isUnordered && (
                <>
                  <Button
                    variant="quiet"
                    aria-label={texts.designer.moveUp(name)}
                    isDisabled={index === 0}
                    onPress={() => move(index, -1)}
                  >
                    <ArrowUp size={14} aria-hidden="true" />
                  </Button>
                  <Button
                    variant="quiet"
                    aria-label={texts.designer.moveDown(name)}
                    isDisabled={index === value.length - 1}
                    onPress={() => move(index, 1)}
                  >
                    <ArrowDown size={14} aria-hidden="true" />
                  </Button>
                </>
              )}
              <Button
                variant="quiet"
                aria-label={texts.designer.remove(name)}
                onPress={() => onChange(value.toSpliced(index, 1))}
              >
                <X size={14} aria-hidden="true" />
              </Button>
            </li>
          );
        })}
      </ul>
      {(left.length > 0 || wanted !== "") && (
        <ComboBox
          // What was chosen leaves the field empty for the next one.
          key={value.length}
          label={texts.designer.addTo(label)}
          hidesLabel
          placeholder={texts.designer.add}
          emptyText={texts.designer.noMatch}
          clearLabel={texts.form.nothing}
          chosen={undefined}
          options={left}
          onSearch={setText}
          onChange={(id) => {
            setText("");
            if (id !== undefined) onChange([...value, id]);
          }}
        />
      )}
      {hint && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}
