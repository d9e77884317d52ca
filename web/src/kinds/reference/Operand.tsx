import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { namedQuery } from "~/api/queries";
import { useLocale } from "~/i18n";
import { Button } from "~/kit/Button";
import { valuesOf } from "~/model/filter/condition";
import type { OperandProps } from "../kind";
import { Edit } from "./Edit";
import styles from "./reference.module.css";

/** The object that is referred to, or several of them. */
export function Operand(props: OperandProps) {
  const { field, operator, value, onChange, label, hidesLabel = false, autoFocus = false } = props;
  const named = { ...field, label, required: false };
  if (operator === "one-of") return <Several {...props} />;
  return (
    <Edit
      field={named}
      hidesLabel={hidesLabel}
      value={value === "" ? null : Number(value)}
      onChange={(id) => onChange(id === null ? "" : String(id))}
      autoFocus={autoFocus}
    />
  );
}

function Several({ field, value, onChange, label, hidesLabel = false }: OperandProps) {
  const { texts } = useLocale();
  const ids = valuesOf(value);
  const names = useQuery(namedQuery(ids)).data;
  const named = { ...field, label, required: false };
  return (
    <div className={styles.several}>
      <Edit
        // What was chosen leaves the field empty for the next one.
        key={ids.length}
        field={named}
        hidesLabel={hidesLabel}
        value={null}
        onChange={(id) => id !== null && onChange([...ids, String(id)].join("\n"))}
      />
      <ul className={styles.chosen}>
        {ids.map((id) => {
          const name = names?.get(Number(id)) ?? `#${id}`;
          return (
            <li key={id}>
              <span className={styles.name}>{name}</span>
              <Button
                look="quiet"
                aria-label={texts.designer.remove(name)}
                onPress={() => onChange(ids.filter((other) => other !== id).join("\n"))}
              >
                <X size={14} aria-hidden="true" />
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
