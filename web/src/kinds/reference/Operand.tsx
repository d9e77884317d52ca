import type { OperandProps } from "../kind";
import { Edit } from "./Edit";
import { Several } from "./Several";

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
