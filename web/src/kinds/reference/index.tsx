import { Link2 } from "lucide-react";
import { targetIds } from "~/model/targets";
import { textOf } from "~/model/textOf";
import { ObjectLink } from "~/ui/ObjectLink";
import { CHOICE_OPERATORS, type Kind, type ViewProps } from "../kind";
import { Edit } from "./Edit";
import { Missing } from "./Missing";
import { Operand } from "./Operand";
import { OperandList } from "./OperandList";
import { SummariesSetting } from "./SummariesSetting";
import { TargetsSetting } from "./TargetsSetting";

function View({ value, target }: ViewProps) {
  if (!target) return <Missing value={textOf(value)} />;
  return <ObjectLink id={target.id}>{target.summary || `#${target.id}`}</ObjectLink>;
}

/** The id of an object, such as 12 or #12. */
function parse(text: string): number | string | null {
  const trimmed = text.trim().replace(/^#/, "");
  if (trimmed === "") return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

export const reference: Kind = {
  label: (texts) => texts.designer.kinds.ref,
  View,
  Edit,
  format: textOf,
  parse,
  width: 200,
  isEditableInPlace: true,
  targets: targetIds,
  commitsOnChange: true,
  alignsRight: false,
  operators: CHOICE_OPERATORS,
  Operand,
  OperandList,
  icon: Link2,
  settings: { ref_types: TargetsSetting, summaries: SummariesSetting },
  initial: { ref_types: [] },
};

/** A reference to the place of an object. */
export const location: Kind = { ...reference, label: (texts) => texts.designer.kinds.location };

/** A reference whose target shows a section of its fields. */
export const sectionReference: Kind = {
  ...reference,
  label: (texts) => texts.designer.kinds["ref-section-field"],
  isLegacy: true,
};
