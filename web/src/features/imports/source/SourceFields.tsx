import { useLocale } from "~/i18n";
import { MISSING_POLICIES, type SourceDraft } from "~/model/importSource";
import { Checkbox } from "~/ui/Checkbox";
import { RadioGroup } from "~/ui/RadioGroup";
import { TextField } from "~/ui/TextField";
import styles from "../imports.module.css";

interface Props {
  draft: SourceDraft;
  /** The columns that can identify a record; none if that cannot change. */
  columns: readonly string[];
  faults: ReadonlyMap<string, string>;
  onChange: (draft: SourceDraft) => void;
}

/** The name of a source, how records are known again, and what happens to missing ones. */
export function SourceFields({ draft, columns, faults, onChange }: Props) {
  const { texts } = useLocale();
  const { sources } = texts;
  const setPart = (name: string, isPart: boolean) => {
    const others = draft.externalKey.filter((part) => part !== name);
    onChange({ ...draft, externalKey: isPart ? [...others, name] : others });
  };
  return (
    <>
      <TextField
        label={sources.name}
        hint={sources.nameHint}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        error={faults.get("name")}
        isRequired
        autoFocus
      />
      {columns.length > 0 && (
        <div role="group" aria-label={sources.externalKey}>
          <p>{sources.externalKey}</p>
          <p className={styles.soft}>{sources.externalKeyHint}</p>
          <div className={styles.keys}>
            {columns.map((name) => (
              <Checkbox
                key={name}
                label={name}
                isSelected={draft.externalKey.includes(name)}
                onChange={(isPart) => setPart(name, isPart)}
              />
            ))}
          </div>
        </div>
      )}
      {draft.externalKey.length > 0 && (
        <>
          <RadioGroup
            label={sources.missing}
            options={MISSING_POLICIES.map((id) => ({ id, ...sources.policies[id] }))}
            value={draft.missing}
            onChange={(missing) => onChange({ ...draft, missing })}
          />
          {draft.missing !== "keep" && (
            <TextField
              label={sources.limit}
              hint={sources.limitHint}
              value={draft.limit}
              onChange={(limit) => onChange({ ...draft, limit })}
              error={faults.get("missing_limit")}
              inputMode="numeric"
            />
          )}
        </>
      )}
    </>
  );
}
