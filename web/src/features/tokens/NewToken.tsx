import { useQuery } from "@tanstack/react-query";
import { useRights } from "~/actions/rights";
import { useForm } from "~/actions/useForm";
import { rightsQuery } from "~/api/groups";
import { typesQuery } from "~/api/objectTypes";
import { makeTokenMutation } from "~/api/tokens";
import { useLocale } from "~/i18n";
import { NO_TOKEN, type TokenDraft, tokenBody } from "~/model/token";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import { Dialog } from "~/ui/Dialog";
import { MultiSelect } from "~/ui/MultiSelect";
import { TextField } from "~/ui/TextField";
import { Secret } from "./Secret";
import styles from "./Tokens.module.css";

interface Props {
  user: number;
  isOwn: boolean;
  onClose: () => void;
}

const MEMBERS = ["name", "rights", "types", "networks", "expires_at"] as const;
const LINES = 2;

/** Makes a token, and shows its secret once. */
export function NewToken({ user, isOwn, onClose }: Props) {
  const { texts } = useLocale();
  const form = useForm({
    initial: NO_TOKEN,
    members: MEMBERS,
    mutation: makeTokenMutation,
    variables: (draft) => (isOwn ? tokenBody(draft) : { ...tokenBody(draft), user_id: user }),
  });
  if (form.data !== undefined) return <Secret secret={form.data} onClose={onClose} />;
  return (
    <Dialog title={texts.tokens.create} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <Fields draft={form.draft} faults={form.faults} onChange={form.reset} />
        {form.problem && <ProblemAlert error={form.problem} />}
        <div>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {texts.tokens.createDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  draft: TokenDraft;
  faults: ReadonlyMap<string, string>;
  onChange: (draft: TokenDraft) => void;
}

function Fields({ draft, faults, onChange }: FieldsProps) {
  const { texts } = useLocale();
  const held: ReadonlySet<string> = useRights();
  const rights = (useQuery(rightsQuery).data ?? [])
    .filter(({ name }) => held.has(name))
    .map(({ name, label }) => ({ id: name, label: `${label} (${name})` }));
  const types = (useQuery(typesQuery).data ?? []).map(({ public_id, label, name }) => ({
    id: String(public_id),
    label: label || name,
  }));
  const change = (part: Partial<TokenDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <TextField
        label={texts.tokens.name}
        value={draft.name}
        onChange={(name) => change({ name })}
        error={faults.get("name")}
        hint={texts.tokens.nameHint}
        isRequired
        autoFocus
      />
      <TextField
        label={texts.tokens.expires}
        type="date"
        value={draft.expires}
        onChange={(expires) => change({ expires })}
        error={faults.get("expires_at")}
        hint={texts.tokens.expiresHint}
      />
      <Checkbox
        label={texts.tokens.readOnly}
        isSelected={draft.readOnly}
        onChange={(readOnly) => change({ readOnly })}
      />
      <MultiSelect
        label={texts.tokens.rights}
        emptyText={texts.tokens.everything}
        options={rights}
        value={draft.rights}
        onChange={(chosen) => change({ rights: chosen })}
        isUnordered
      />
      <MultiSelect
        label={texts.tokens.types}
        emptyText={texts.tokens.allTypes}
        options={types}
        value={draft.types}
        onChange={(chosen) => change({ types: chosen })}
        isUnordered
      />
      <TextField
        label={texts.tokens.networks}
        lines={LINES}
        value={draft.networks}
        onChange={(networks) => change({ networks })}
        error={faults.get("networks")}
        hint={texts.tokens.networksHint}
      />
    </>
  );
}
