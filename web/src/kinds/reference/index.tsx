import { Link2 } from "lucide-react";
import { ObjectLink } from "~/kit/ObjectLink";
import { CHOICE_OPERATORS, type Kind, type ViewProps } from "../kind";
import { formatText } from "../text";
import { Edit } from "./Edit";
import { Missing } from "./Missing";
import { Operand } from "./Operand";
import { OperandList } from "./OperandList";

function View({ value, target }: ViewProps) {
  if (!target) return <Missing value={String(value)} />;
  return <ObjectLink id={target.id}>{target.summary || `#${target.id}`}</ObjectLink>;
}

/** The id of an object, such as 12 or #12. */
function parse(text: string): number | string | null {
  const trimmed = text.trim().replace(/^#/, "");
  if (trimmed === "") return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

export const reference: Kind = {
  View,
  Edit,
  format: formatText,
  parse,
  width: 200,
  isEditableInPlace: true,
  isChosen: true,
  alignsRight: false,
  operators: CHOICE_OPERATORS,
  Operand,
  OperandList,
  icon: Link2,
  settings: ["ref_types", "summaries"],
  initial: { ref_types: [] },
};
