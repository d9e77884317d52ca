import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { Checkbox } from "~/ui/Checkbox";
import { TextField } from "~/ui/TextField";
import styles from "./categories.module.css";

/** More types than this get a filter. */
const UNFILTERED = 12;

interface Props {
  value: readonly number[];
  onChange: (types: number[]) => void;
}

/** The types of a category; those chosen later come last. */
export function TypeChecklist({ value, onChange }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = types.filter(({ label, name }) => (label || name).toLowerCase().includes(wanted));
  const toggle = (type: number, isChosen: boolean) =>
    onChange(isChosen ? [...value, type] : value.filter((other) => other !== type));
  return (
    <fieldset className={styles.types}>
      <legend>{texts.categories.types}</legend>
      {types.length > UNFILTERED && (
        <TextField
          label={texts.categories.filterTypes}
          hidesLabel
          placeholder={texts.categories.filterTypes}
          type="search"
          value={text}
          onChange={setText}
        />
      )}
      <ul className={styles.typeList}>
        {shown.map(({ public_id, label, name }) => (
          <li key={public_id}>
            <Checkbox
              label={label || name}
              isSelected={value.includes(public_id)}
              onChange={(isChosen) => toggle(public_id, isChosen)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
