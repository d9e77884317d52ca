import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { memo } from "react";
import type { FieldDefinition } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { FieldValue } from "~/kinds/FieldValue";
import { kindOf } from "~/kinds/registry";
import { Button } from "~/ui/Button";
import styles from "./Form.module.css";
import type { RelatedRequest } from "./RelatedDialog";

interface Props {
  field: FieldDefinition;
  value: unknown;
  onChange: (name: string, value: unknown) => void;
  error: string | undefined;
  /** Whether somebody else gave this field another value meanwhile. */
  isInConflict: boolean;
  theirs: unknown;
  onResolve: (name: string, takesTheirs: boolean) => void;
  isKept: boolean;
  onKeep: ((name: string) => void) | undefined;
  onRelated: (request: RelatedRequest) => void;
  autoFocus: boolean;
}

/** A field that is drawn again only when something of it changed: a type may have hundreds. */
export const FormField = memo(function FormField(props: Props) {
  const { field, value, onChange, error, isInConflict, theirs, onResolve } = props;
  const { isKept, onKeep, onRelated, autoFocus } = props;
  const { texts } = useLocale();
  const creatable = useQuery(meQuery).data?.types.create ?? [];
  const kind = kindOf(field);
  const targets = (field.ref_types ?? []).filter((type) => creatable.includes(type));
  const label = field.label || field.name;
  return (
    <div className={styles.field} data-wide={kind.isWide ?? false}>
      <kind.Edit
        field={field}
        value={value}
        onChange={(changed) => onChange(field.name, changed)}
        error={error}
        autoFocus={autoFocus}
        onCreateTarget={
          targets.length > 0 ? (onCreated) => onRelated({ types: targets, onCreated }) : undefined
        }
      />
      {onKeep && (
        <span className={styles.keep}>
          <Button
            variant="quiet"
            aria-label={texts.form.keepForNext(label)}
            aria-pressed={isKept}
            onPress={() => onKeep(field.name)}
          >
            <Pin size={13} aria-hidden="true" fill={isKept ? "currentcolor" : "none"} />
          </Button>
        </span>
      )}
      {isInConflict && (
        <div className={styles.conflict}>
          <p>
            {texts.form.conflict} <FieldValue field={field} value={theirs} />
          </p>
          <Button onPress={() => onResolve(field.name, false)}>{texts.form.keepMine}</Button>
          <Button onPress={() => onResolve(field.name, true)}>{texts.form.takeTheirs}</Button>
        </div>
      )}
    </div>
  );
});
