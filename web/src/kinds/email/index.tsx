import { Mail } from "lucide-react";
import { textOf } from "~/model/textOf";
import type { Kind, ViewProps } from "../kind";
import { parseTrimmed, text } from "../text";

function View({ value }: ViewProps) {
  const address = textOf(value);
  // What stands before the @ may hold what begins a query.
  const encoded = encodeURIComponent(address).replace("%40", "@");
  return <a href={`mailto:${encoded}`}>{address}</a>;
}

export const email: Kind = {
  ...text,
  label: (texts) => texts.designer.kinds.email,
  View,
  parse: parseTrimmed,
  width: 200,
  canAppend: false,
  icon: Mail,
};
