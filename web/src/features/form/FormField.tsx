import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { meQuery } from "~/api/queries";
import type { FieldDefinition } from "~/api/types";
import { useLocale } from "~/i18n";
import { FieldValue } from "~/kinds/FieldValue";
import { kindOf } from "~/kinds/registry";
import { Button } from "~/kit/Button";
import styles from "./Form.module.css";
import type { RelatedRequest } from "./RelatedDialog";

interface Props {
  field: FieldDefinition;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  /** The value that somebody else gave this field meanwhile; empty if nobody did. */
  conflict: readonly unknown[];
  onResolve: (takesTheirs: boolean) => void;
  isKept: boolean;
  onKeep: (() => void) | undefined;
  onRelated: (request: RelatedRequest) => void;
  autoFocus: boolean;
}

export function FormField(props: Props) {
  const { field, value, onChange, error, conflict, isKept, onKeep, onRelated, autoFocus } = props;
  const { texts } = useLocale();
  const creatable = useQuery(meQuery).data?.types.create ?? [];
  const kind = kindOf(field);
  const targets = field.ref_types?.length
    ? field.ref_types.filter((type) => creatable.includes(type))
    : [];
  const label = field.label || field.name;
  return (
    <div className={styles.field} data-wide={kind.isWide ?? false}>
      <kind.Edit
        field={field}
        value={value}
        onChange={onChange}
        error={error}
        autoFocus={autoFocus}
        onCreateTarget={
          targets.length > 0 ? (onCreated) => onRelated({ types: targets, onCreated }) : undefined
        }
      />
      {onKeep && (
        <span className={styles.keep}>
          <Button
            look="quiet"
            aria-label={texts.form.keepForNext(label)}
            aria-pressed={isKept}
            onPress={onKeep}
          >
            <Pin size={13} aria-hidden="true" fill={isKept ? "currentcolor" : "none"} />
          </Button>
        </span>
      )}
      {conflict.length > 0 && (
        <div className={styles.conflict}>
          <p>
            {texts.form.conflict} <FieldValue field={field} value={conflict[0]} />
          </p>
          <Button onPress={() => props.onResolve(false)}>{texts.form.keepMine}</Button>
          <Button onPress={() => props.onResolve(true)}>{texts.form.takeTheirs}</Button>
        </div>
      )}
    </div>
  );
}
