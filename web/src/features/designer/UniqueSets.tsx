import { Plus, Trash2 } from "lucide-react";
import { useLocale } from "~/i18n";
import type { UniqueSet } from "~/model/typeDraft";
import { addUniqueSet, changeUniqueSet, removeUniqueSet } from "~/model/uniqueSets";
import { Button } from "~/ui/Button";
import { MultiSelect } from "~/ui/MultiSelect";
import type { Design } from "./design";
import styles from "./LookTab.module.css";

/** Sets of fields whose values together no two objects may share. */
export function UniqueSets({ design }: { design: Design }) {
  const { texts } = useLocale();
  const { draft, change } = design;
  return (
    <section className={styles.card} aria-labelledby="unique-sets-title">
      <div>
        <h2 id="unique-sets-title">{texts.designer.uniqueSets}</h2>
        <p className={styles.hint}>{texts.designer.uniqueSetsHint}</p>
      </div>
      {draft.unique.map((set, index) => (
        <FieldSet key={set.key} design={design} set={set} position={index + 1} />
      ))}
      <div>
        <Button onPress={() => change(addUniqueSet)}>
          <Plus size={14} aria-hidden="true" />
          {texts.designer.addUniqueSet}
        </Button>
      </div>
    </section>
  );
}

function FieldSet({ design, set, position }: { design: Design; set: UniqueSet; position: number }) {
  const { texts } = useLocale();
  const { draft, change, faults } = design;
  const title = texts.designer.uniqueSet(position);
  // Empty sets are not sent.
  const sent = draft.unique.filter(({ fields }) => fields.length > 0).indexOf(set);
  const fault = faults.all.find(({ pointer }) => pointer === `/unique/${sent}`);
  const options = draft.fields
    .filter(({ key, definition }) => definition.type !== "password" || set.fields.includes(key))
    .map(({ key, definition }) => ({ id: key, label: definition.label || definition.name }));
  const remove = () => change((before) => removeUniqueSet(before, set.key));
  return (
    <div role="group" aria-label={title} className={styles.external}>
      <div className={styles.externalHeader}>
        <h3>{title}</h3>
        <Button variant="quiet" aria-label={texts.designer.remove(title)} onPress={remove}>
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      </div>
      <MultiSelect
        label={texts.designer.uniqueSetFields}
        emptyText={texts.designer.noUsedFields}
        options={options}
        value={set.fields}
        onChange={(fields) => change((before) => changeUniqueSet(before, set.key, fields))}
        isUnordered
      />
      {fault && <p className={styles.fault}>{fault.detail}</p>}
    </div>
  );
}
