import { X } from "lucide-react";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { KINDS_TO_CHOOSE, kindLabel, kindOf, settingsOf } from "~/kinds/registry";
import { type DraftField, fieldOf } from "~/model/typeDraft";
import { changeField, neighbourOf, relabelField, removeField } from "~/model/typeEdit";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import { isLocked } from "./Canvas";
import type { Design } from "./design";
import { PlaceControls } from "./PlaceControls";
import styles from "./Properties.module.css";
import { TryField } from "./TryField";
import { useKindChange } from "./useKindChange";

interface Props {
  design: Design;
  field: DraftField | undefined;
  onClose: () => void;
  onAnnounce: (text: string) => void;
  /** The field to choose instead of a removed one. */
  onRemoved: (next: string | undefined) => void;
}

/** What can be set of the chosen field; on a phone, a sheet at the bottom. */
export function Properties({ design, field, onClose, onAnnounce, onRemoved }: Props) {
  const { texts } = useLocale();
  if (!field) {
    return (
      <aside className={styles.empty} aria-label={texts.designer.properties}>
        <p>{texts.designer.chooseField}</p>
      </aside>
    );
  }
  const { key, definition } = field;
  const label = definition.label || definition.name;
  const change = (part: Partial<FieldDefinition>, tag: string) =>
    design.change((draft) => changeField(draft, key, part), `${key}/${tag}`);
  const faults = design.faults.fields.get(key);
  const kind = kindOf(definition);
  const stored = fieldOf(design.base, key)?.definition;
  const locked = isLocked(design.draft, key);
  const remove = () => {
    onRemoved(neighbourOf(design.draft, key)?.key);
    onAnnounce(texts.designer.removed(label));
    design.change((draft) => removeField(draft, key));
  };
  return (
    <aside className={styles.panel} aria-label={texts.designer.properties}>
      <header className={styles.header}>
        <h2>{label}</h2>
        <span className={styles.close}>
          <Button variant="quiet" aria-label={texts.close} onPress={onClose}>
            <X size={16} aria-hidden="true" />
          </Button>
        </span>
      </header>
      {faults?.get("") && <p className={styles.fault}>{faults.get("")}</p>}
      <TextField
        label={texts.designer.label}
        value={definition.label ?? ""}
        error={faults?.get("label")}
        onChange={(text) =>
          design.change((draft) => relabelField(draft, key, text), `${key}/label`)
        }
      />
      <NameField design={design} field={field} isLocked={locked} onChange={change} />
      <KindSelect design={design} field={field} isLocked={locked} error={faults?.get("type")} />
      <Checkbox
        label={texts.designer.required}
        isSelected={definition.required ?? false}
        error={faults?.get("required")}
        onChange={(required) => change({ required: required || undefined }, "required")}
      />
      {(definition.type !== "password" || definition.unique === true) && (
        <UniqueSettings field={definition} faults={faults} onChange={change} />
      )}
      {settingsOf(kind).map((setting) => {
        const Editor = kind.settings[setting];
        return (
          Editor && (
            <Editor
              key={setting}
              kind={kind}
              field={definition}
              stored={stored}
              error={faults?.get(setting)}
              onChange={(part) => change(part, setting)}
            />
          )
        );
      })}
      <TextField
        label={texts.designer.helperText}
        value={definition.helperText ?? ""}
        error={faults?.get("helperText")}
        onChange={(text) => change({ helperText: text || undefined }, "helperText")}
      />
      <TextField
        label={texts.designer.description}
        lines={2}
        value={definition.description ?? ""}
        error={faults?.get("description")}
        onChange={(text) => change({ description: text || undefined }, "description")}
      />
      <TryField field={definition} />
      {!locked && (
        <PlaceControls design={design} field={field} onAnnounce={onAnnounce} onRemove={remove} />
      )}
    </aside>
  );
}

interface UniqueProps {
  field: FieldDefinition;
  faults: ReadonlyMap<string, string> | undefined;
  onChange: (part: Partial<FieldDefinition>, tag: string) => void;
}

/** Whether objects must differ in the field, and in what. */
function UniqueSettings({ field, faults, onChange }: UniqueProps) {
  const { texts } = useLocale();
  const isUnique = field.unique === true;
  const none = { fold: undefined, where: undefined };
  return (
    <>
      <Checkbox
        label={texts.designer.unique}
        isSelected={isUnique}
        error={faults?.get("unique")}
        onChange={(unique) =>
          onChange(unique ? { unique } : { unique: undefined, ...none }, "unique")
        }
      />
      {isUnique && (
        <>
          <Checkbox
            label={texts.designer.uniqueFold}
            isSelected={field.fold === true}
            onChange={(fold) => onChange({ fold: fold || undefined }, "fold")}
          />
          <Checkbox
            label={texts.designer.uniqueActive}
            isSelected={field.where === "active"}
            onChange={(active) => onChange({ where: active ? "active" : undefined }, "where")}
          />
        </>
      )}
    </>
  );
}

interface PartProps {
  field: DraftField;
  isLocked: boolean;
  onChange: (part: Partial<FieldDefinition>, tag: string) => void;
}

function NameField({ design, field, isLocked, onChange }: PartProps & { design: Design }) {
  const { texts } = useLocale();
  const { definition, stored, key } = field;
  const isRenamed = stored !== undefined && stored !== definition.name;
  const hint = isRenamed ? texts.designer.renameHint(stored) : texts.designer.nameHint;
  const faults = design.faults.fields.get(key);
  return (
    <TextField
      label={texts.designer.name}
      value={definition.name}
      hint={hint}
      error={faults?.get("name") ?? faults?.get("renamed_from")}
      isDisabled={isLocked}
      onChange={(name) => onChange({ name }, "name")}
    />
  );
}

interface KindProps extends Pick<PartProps, "field" | "isLocked"> {
  design: Design;
  error: string | undefined;
}

function KindSelect({ design, field, isLocked, error }: KindProps) {
  const { texts } = useLocale();
  const choose = useKindChange(design, field);
  const { type } = field.definition;
  const kinds = [...KINDS_TO_CHOOSE];
  if (!kinds.includes(type)) kinds.push(type);
  return (
    <Select
      label={texts.designer.kind}
      value={type}
      isDisabled={isLocked}
      error={error}
      options={kinds.map((kind) => ({ id: kind, label: kindLabel(kind, texts) }))}
      onChange={choose}
    />
  );
}
