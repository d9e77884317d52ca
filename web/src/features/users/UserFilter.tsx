import { useState } from "react";
import type { Group } from "~/api/records";
import { useLocale } from "~/i18n";
import type { UserSearch } from "~/model/users";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "./users.module.css";

interface Props {
  search: UserSearch;
  groups: readonly Group[];
  /** How many users match. */
  count: string | undefined;
  onSearch: (search: UserSearch) => void;
}

/** No group has this id. */
const ALL = "";

/** Narrows the list; a change begins at its first page. */
export function UserFilter({ search, groups, count, onSearch }: Props) {
  const { texts } = useLocale();
  // The address follows what is typed, never the other way round.
  const [text, setText] = useState(search.text ?? "");
  const change = (part: { [Key in keyof UserSearch]: UserSearch[Key] | undefined }) => {
    const { page: _, ...kept } = search;
    onSearch({ ...kept, ...part } as UserSearch);
  };
  const type = (typed: string) => {
    setText(typed);
    change({ text: typed || undefined });
  };
  const states = [
    { id: ALL, label: texts.users.allStates },
    { id: "active", label: texts.users.active },
    { id: "inactive", label: texts.users.inactive },
  ];
  const groupOptions = groups.map(({ public_id, label, name }) => ({
    id: String(public_id),
    label: label || name,
  }));
  return (
    <div className={styles.filter}>
      <TextField
        label={texts.users.search}
        hidesLabel
        placeholder={texts.users.searchHint}
        type="search"
        value={text}
        onChange={type}
      />
      <Select
        label={texts.users.state}
        hidesLabel
        options={states}
        value={search.state ?? ALL}
        onChange={(state) => change({ state: (state || undefined) as UserSearch["state"] })}
      />
      {groups.length > 0 && (
        <Select
          label={texts.users.group}
          hidesLabel
          options={[{ id: ALL, label: texts.users.allGroups }, ...groupOptions]}
          value={String(search.group ?? ALL)}
          onChange={(group) => change({ group: group ? Number(group) : undefined })}
        />
      )}
      <span className={styles.soft} aria-live="polite">
        {count}
      </span>
    </div>
  );
}
