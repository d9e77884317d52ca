import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useRights } from "~/actions/rights";
import { levelsQuery, rightsQuery } from "~/api/groups";
import { useLocale } from "~/i18n";
import { effectiveRights, filterRights, grant, revoke, rightsTree } from "~/model/groupRights";
import { ProblemAlert } from "~/ui/Alert";
import { Panel } from "~/ui/Page";
import { TextField } from "~/ui/TextField";
import styles from "./groups.module.css";
import { RightsTree } from "./RightsTree";

interface Props {
  /** The names of the rights that the group holds itself. */
  granted: readonly string[];
  /** Those that it held before; whoever takes one away by mistake may give it back. */
  before: readonly string[];
  isReadOnly: boolean;
  onChange: (granted: string[]) => void;
}

/** The tree of all rights, and beside it what the chosen ones amount to. */
export function RightsEditor({ granted, before, isReadOnly, onChange }: Props) {
  const { texts, number } = useLocale();
  const own = useRights();
  const rights = useQuery(rightsQuery);
  const levels = useQuery(levelsQuery).data;
  const [text, setText] = useState("");
  const held = useMemo(() => new Set(granted), [granted]);
  const tree = useMemo(() => rightsTree(rights.data ?? []), [rights.data]);
  const shown = useMemo(() => filterRights(tree, text), [tree, text]);
  const effective = effectiveRights(rights.data ?? [], held);
  const grantable = useMemo(
    () => new Set([...own, ...effectiveRights(rights.data ?? [], new Set(before))]),
    [own, before, rights.data],
  );
  if (rights.error && !rights.data)
    return <ProblemAlert error={rights.error} onRetry={() => rights.refetch()} />;
  const change = (name: string, isGranted: boolean) =>
    onChange([...(isGranted ? grant(held, name) : revoke(tree, held, name))]);
  const count = texts.groups.effective(number(effective.length), number(rights.data?.length ?? 0));
  return (
    <div className={styles.rights}>
      <Panel title={texts.groups.rights}>
        <p className={styles.soft}>{texts.groups.effectiveHint}</p>
        <TextField
          label={texts.groups.filterRights}
          hidesLabel
          placeholder={texts.groups.filterRights}
          type="search"
          value={text}
          onChange={setText}
        />
        {shown.length === 0 && rights.data && <p>{texts.groups.noRights}</p>}
        <RightsTree
          nodes={shown}
          isFiltered={text.trim() !== ""}
          granted={held}
          grantable={grantable}
          levels={levels ?? new Map()}
          isReadOnly={isReadOnly}
          onChange={change}
        />
      </Panel>
      <section className={styles.effective} aria-label={count}>
        <h2 aria-live="polite">{count}</h2>
        {effective.length === 0 && <p className={styles.soft}>{texts.groups.noneEffective}</p>}
        <ul>
          {effective.map((name) => (
            <li key={name} className="mono">
              {name}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
