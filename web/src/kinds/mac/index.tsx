import { EthernetPort } from "lucide-react";
import type { Kind } from "../kind";
import { PlaceholderSetting } from "../settings/PlaceholderSetting";
import { ValueSetting } from "../settings/ValueSetting";
import { parseTrimmed, text } from "../text";

/** The server reads every notation, and stores one. */
export const mac: Kind = {
  ...text,
  label: (texts) => texts.designer.kinds.mac,
  parse: parseTrimmed,
  width: 160,
  canAppend: false,
  icon: EthernetPort,
  settings: { placeholder: PlaceholderSetting, value: ValueSetting },
};
