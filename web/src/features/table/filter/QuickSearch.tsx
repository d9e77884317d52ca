import { useEffect, useState } from "react";
import { useLocale } from "~/i18n";
import { isSearchable } from "~/model/search";
import { LONGEST_SEARCH } from "~/model/view";
import { TextField } from "~/ui/TextField";

interface Props {
  /** What the list is searched for. */
  text: string | undefined;
  onSearch: (text: string | undefined) => void;
}

/** So long nobody types, in milliseconds, until the list is searched. */
const PAUSE = 250;

/** Searches the list in all values, as people type. */
export function QuickSearch({ text, onSearch }: Props) {
  const { texts } = useLocale();
  const [typed, setTyped] = useState(text ?? "");
  const [seen, setSeen] = useState(text);
  // The address changed otherwise: by a saved view, or the way back.
  if (seen !== text) {
    setSeen(text);
    if (wantedOf(typed) !== text) setTyped(text ?? "");
  }
  const search = () => {
    const wanted = wantedOf(typed);
    if (wanted !== text) onSearch(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing is the reason
  useEffect(() => {
    const timer = setTimeout(search, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      label={texts.table.search}
      hidesLabel
      placeholder={texts.table.search}
      type="search"
      maxLength={LONGEST_SEARCH}
      value={typed}
      onChange={setTyped}
      onKeyDown={({ key }) => key === "Enter" && search()}
    />
  );
}

function wantedOf(typed: string): string | undefined {
  return isSearchable(typed) ? typed.trim() : undefined;
}
