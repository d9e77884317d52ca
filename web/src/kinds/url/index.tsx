import { Link } from "lucide-react";
import { textOf } from "~/model/textOf";
import type { Kind, ViewProps } from "../kind";
import { parseTrimmed, text } from "../text";

/** What browsers open without running code. Old values may have any scheme. */
const FOLLOWED = /^(https?|ftp|sftp|ssh|mailto|tel):/i;

function View({ value }: ViewProps) {
  const link = textOf(value);
  if (!FOLLOWED.test(link)) return <span>{link}</span>;
  return (
    <a href={link} target="_blank" rel="noreferrer noopener">
      {link}
    </a>
  );
}

export const url: Kind = {
  ...text,
  label: (texts) => texts.designer.kinds.url,
  View,
  parse: parseTrimmed,
  width: 220,
  canAppend: false,
  icon: Link,
};
