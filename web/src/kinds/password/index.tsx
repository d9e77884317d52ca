import { KeyRound } from "lucide-react";
import { textOf } from "~/model/textOf";
import { TextField } from "~/ui/TextField";
import { type EditProps, fieldProps, type Kind } from "../kind";
import { RegexSetting } from "../settings/RegexSetting";
import { parseText } from "../text";

const HIDDEN = "••••••";

/** Even who may read it does not show it to the room. */
function View() {
  return <span>{HIDDEN}</span>;
}

function Edit(props: EditProps) {
  const { value, onChange } = props;
  return (
    <TextField
      {...fieldProps(props)}
      type="password"
      autoComplete="new-password"
      value={textOf(value)}
      onChange={(text) => onChange(parseText(text))}
    />
  );
}

export const password: Kind = {
  label: (texts) => texts.designer.kinds.password,
  View,
  Edit,
  // A secret does not reach the clipboard by copying rows.
  format: () => "",
  parse: parseText,
  width: 120,
  isEditableInPlace: false,
  isSecret: true,
  alignsRight: false,
  operators: ["empty", "not-empty"],
  icon: KeyRound,
  settings: { regex: RegexSetting },
};
