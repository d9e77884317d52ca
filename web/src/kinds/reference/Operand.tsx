import type { OperandProps } from "../kind";
import { Edit } from "./Edit";

/** The object that is referred to. */
export function Operand(props: OperandProps) {
  const { field, value, onChange, label, hidesLabel = false, autoFocus = false } = props;
  return (
    <Edit
      field={{ ...field, label, required: false }}
      hidesLabel={hidesLabel}
      value={value === "" ? null : Number(value)}
      onChange={(id) => onChange(id === null ? "" : String(id))}
      autoFocus={autoFocus}
    />
  );
}
