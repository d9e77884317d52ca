import type { FieldDefinition } from "~/api/types";

/** What edits one key of a definition. */
export interface SettingProps {
  field: FieldDefinition;
  /** The field as it is stored; nothing for a new one. */
  stored: FieldDefinition | undefined;
  error: string | undefined;
  /** A key that is undefined is taken out. */
  onChange: (part: Partial<FieldDefinition>) => void;
}
