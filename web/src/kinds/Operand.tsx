import { useLocale } from "~/i18n";
import { OPERATORS, type Operator } from "~/model/filter/operators";
import { TextField } from "~/ui/TextField";
import type { Kind, OperandProps } from "./kind";

interface Props extends OperandProps {
  kind: Kind;
  operator: Operator;
}

/** The control for what an operator takes: nothing, a value, or several. */
export function Operand({ kind, operator, ...props }: Props) {
  const { Operand: One = TextOperand, OperandList: Several = TextOperandList } = kind;
  switch (OPERATORS[operator].arity) {
    case "none":
      return null;
    case "one":
      return <One {...props} />;
    case "several":
      return <Several {...props} />;
  }
}

interface TextProps extends OperandProps {
  type?: "date";
  inputMode?: "decimal";
}

/** A value as text. */
export function TextOperand({ field: _, counts: __, ...props }: TextProps) {
  return <TextField {...props} />;
}

const LINES = 4;

/** Values as text, one on each line. */
function TextOperandList({ field: _, counts: __, ...props }: OperandProps) {
  const { texts } = useLocale();
  return <TextField {...props} lines={LINES} hint={texts.filter.onePerLine} />;
}
