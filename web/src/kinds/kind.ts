import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { FieldDefinition, KindFacts } from "~/api/records";
import type { Texts } from "~/i18n/en";
import type { Operator } from "~/model/filter/operators";

/** The object that a reference points to, as far as an answer tells. */
export interface Target {
  id: number;
  summary: string;
}

export interface ViewProps {
  field: FieldDefinition;
  /** Neither null nor an empty text: those need no kind. */
  value: unknown;
  /** Only for references; nothing if the target was deleted or is not visible. */
  target?: Target | undefined;
}

export interface EditProps {
  field: FieldDefinition;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The label is only read out, as in a cell of a table. */
  hidesLabel?: boolean;
  autoFocus?: boolean;
  /** What the server refused. */
  error?: string | undefined;
  /** Offers to make an object that a reference could point to. */
  onCreateTarget?: ((onCreated: (id: number) => void) => void) | undefined;
}

/** The value of a condition in a filter, as text. */
export interface OperandProps {
  field: FieldDefinition;
  /** The values of an operator that takes several: one per line. */
  value: string;
  onChange: (value: string) => void;
  label: string;
  hidesLabel?: boolean;
  autoFocus?: boolean;
  /** How many objects have each value, if it is known. */
  counts?: ReadonlyMap<string, number> | undefined;
}

const PRESENCE = ["empty", "not-empty"] as const;
export const TEXT_OPERATORS: readonly Operator[] = [
  "contains",
  "is",
  "is-not",
  "one-of",
  ...PRESENCE,
];
export const CHOICE_OPERATORS: readonly Operator[] = ["is", "is-not", "one-of", ...PRESENCE];
/** For what has few values. */
export const FLAG_OPERATORS: readonly Operator[] = ["is", "is-not", ...PRESENCE];
export const ORDER_OPERATORS: readonly Operator[] = [
  "is",
  "one-of",
  "at-least",
  "at-most",
  "is-not",
  ...PRESENCE,
];

/** A key of a definition that makes sense for some kinds only. */
export type Setting = KindFacts["settings"][number];

/** What edits a setting of a field's definition. */
export interface SettingProps {
  kind: Kind;
  field: FieldDefinition;
  /** The field as it is stored; nothing for a new one. */
  stored: FieldDefinition | undefined;
  error: string | undefined;
  /** A key that is undefined is taken out. */
  onChange: (part: Partial<FieldDefinition>) => void;
}

/** A kind of field: how its values look and behave. */
export interface Kind {
  label: (texts: Texts) => string;
  /** The value of a field. A plain element: tables have thousands of them. */
  View: ComponentType<ViewProps>;
  /** A control for the value, with the field's label. */
  Edit: ComponentType<EditProps>;
  /** The value as people write it, for the clipboard. */
  format: (value: unknown, field: FieldDefinition) => string;
  /** The value that a text of people means; the server decides whether it fits. */
  parse: (text: string, field: FieldDefinition) => unknown;
  /** Whether a text is a value, if the server takes others, too. */
  fits?: (text: string) => boolean;
  /** What to write instead of a text that is no value. */
  unfit?: (texts: Texts) => string;
  /** What an untouched control shows as a value. */
  untouched?: unknown;
  /** The value of a condition in words; others are shown as they are. */
  operandText?: (value: string, texts: Texts) => string;
  /** The width of a table's column at first, in pixels. */
  width: number;
  alignsRight: boolean;
  /** Whether a value can be edited where it stands; a secret that is not shown cannot. */
  isEditableInPlace: boolean;
  /** The ids of the objects that a value refers to; only references have it. */
  targets?: (value: unknown) => number[];
  /** Whether its values are points in time. */
  holdsDates?: boolean;
  /** Whether its values are hidden. */
  isSecret?: boolean;
  /** Whether a letter that is typed on its cell begins a new value. */
  isTyped?: boolean;
  /** Whether one change is the whole edit, such as an option of a list. */
  commitsOnChange?: boolean;
  /** Whether a change of many objects can add to their values. */
  canAppend?: boolean;
  /** Whether the control takes all the width of a form. */
  isWide?: boolean;
  /** What a filter can ask of a value; the first is offered first. */
  operators: readonly Operator[];
  /** The control for the value of a condition; texts need none of their own. */
  Operand?: ComponentType<OperandProps>;
  /** The control for the values of a condition that takes several. */
  OperandList?: ComponentType<OperandProps>;
  /** The value that a new condition has, before anybody chooses one. */
  firstOperand?: (field: FieldDefinition) => string;
  icon: LucideIcon;
  /** Whether types may have it, but new fields do not get it. */
  isLegacy?: boolean;
  /** What a definition may set, besides what all fields have, and the editor of each. */
  settings: Partial<Record<Setting, ComponentType<SettingProps>>>;
  /** What the definition of a new field has besides its kind and names. */
  initial?: Partial<FieldDefinition>;
}

/** The properties that all controls take from a field. */
export function fieldProps({ field, hidesLabel, autoFocus, error }: EditProps) {
  return {
    label: field.label || field.name,
    hidesLabel: hidesLabel ?? false,
    isRequired: field.required ?? false,
    error,
    autoFocus: autoFocus ?? false,
  };
}
