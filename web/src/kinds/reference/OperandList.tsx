import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ClipboardEvent } from "react";
import { findKeys, namedQuery } from "~/api/objectNames";
import { useLocale } from "~/i18n";
import { valuesOf } from "~/model/filter/operand";
import { keysOf } from "~/model/keys";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import type { OperandProps } from "../kind";
import { Edit } from "./Edit";
import styles from "./reference.module.css";

/** Objects that are chosen one by one, or by a list of keys that is pasted. */
export function OperandList({ field, value, onChange, label, hidesLabel = false }: OperandProps) {
  const { texts } = useLocale();
  const ids = valuesOf(value);
  const names = useQuery(namedQuery(ids)).data;
  const queries = useQueryClient();
  const pasted = useMutation({
    mutationFn: (keys: readonly string[]) => findKeys(queries, field.ref_types ?? [], keys),
    onSuccess: (found) => onChange([...new Set([...ids, ...found.ids])].join("\n")),
  });
  const paste = (event: ClipboardEvent) => {
    const keys = keysOf(event.clipboardData.getData("text/plain"));
    // One key is typed text, which the field searches for.
    if (keys.length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    pasted.mutate(keys);
  };
  return (
    <div className={styles.several} onPasteCapture={paste}>
      <Edit
        // What was chosen leaves the field empty for the next one.
        key={ids.length}
        field={{ ...field, label, required: false }}
        hidesLabel={hidesLabel}
        value={null}
        onChange={(id) => id !== null && onChange([...ids, String(id)].join("\n"))}
      />
      <p className={styles.hint}>{texts.filter.pasteKeys}</p>
      {pasted.isError && <ProblemAlert error={pasted.error} />}
      {pasted.data && pasted.data.missing.length > 0 && (
        <p role="alert" className={styles.missing}>
          {texts.filter.missingKeys(pasted.data.missing.join(", "))}
        </p>
      )}
      <ul className={styles.chosen}>
        {ids.map((id) => {
          const name = names?.get(Number(id)) ?? `#${id}`;
          return (
            <li key={id}>
              <span className={styles.name}>{name}</span>
              <Button
                variant="quiet"
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
