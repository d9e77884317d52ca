import { Plus, Trash2 } from "lucide-react";
import { useLocale } from "~/i18n";
import type { DraftExternal } from "~/model/typeDraft";
import { addExternal, changeExternal, OBJECT_ID, removeExternal } from "~/model/typeExternals";
import { Button } from "~/ui/Button";
import { MultiSelect } from "~/ui/MultiSelect";
import { TextField } from "~/ui/TextField";
import type { Design } from "./design";
import styles from "./LookTab.module.css";

/** Links from objects to other systems. */
export function Externals({ design }: { design: Design }) {
  const { texts } = useLocale();
  const { draft, change } = design;
  return (
    <section className={styles.card} aria-labelledby="externals-title">
      <div>
        <h2 id="externals-title">{texts.designer.externals}</h2>
        <p className={styles.hint}>
          {draft.externals.length ? texts.designer.externalsHint : texts.designer.noExternals}
        </p>
      </div>
      {draft.externals.map((entry, index) => (
        <External key={entry.key} design={design} entry={entry} position={index + 1} />
      ))}
      <div>
        <Button onPress={() => change(addExternal)}>
          <Plus size={14} aria-hidden="true" />
          {texts.designer.addExternal}
        </Button>
      </div>
    </section>
  );
}

interface ExternalProps {
  design: Design;
  entry: DraftExternal;
  position: number;
}

function External({ design, entry, position }: ExternalProps) {
  const { texts } = useLocale();
  const { draft, change, faults } = design;
  const { key, external, fields } = entry;
  const title = external.label || texts.designer.externalTitle(position);
  const fault = (member: string) =>
    faults.all.find(({ pointer }) => pointer === `/render_meta/externals/${position - 1}/${member}`)
      ?.detail;
  const set = (part: Parameters<typeof changeExternal>[2], tag: string) =>
    change((before) => changeExternal(before, key, part), `${key}/${tag}`);
  const options = [
    ...draft.fields.map(({ key, definition }) => ({
      id: key,
      label: definition.label || definition.name,
    })),
    { id: OBJECT_ID, label: texts.designer.objectId },
  ];
  return (
    <div role="group" aria-label={title} className={styles.external}>
      <div className={styles.externalHeader}>
        <h3>{title}</h3>
        <Button
          variant="quiet"
          aria-label={texts.designer.remove(title)}
          onPress={() => change((before) => removeExternal(before, key))}
        >
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      </div>
      <div className={styles.pair}>
        <TextField
          label={texts.designer.label}
          value={external.label}
          error={fault("label")}
          onChange={(label) => set({ label }, "label")}
        />
        <TextField
          label={texts.designer.name}
          value={external.name}
          error={fault("name")}
          onChange={(name) => set({ name }, "name")}
        />
      </div>
      <TextField
        label={texts.designer.href}
        value={external.href}
        placeholder="https://monitoring.example.org/hosts/{}"
        error={fault("href")}
        onChange={(href) => set({ href }, "href")}
      />
      <MultiSelect
        label={texts.designer.usedFields}
        emptyText={texts.designer.noUsedFields}
        options={options}
        value={fields}
        onChange={(chosen) =>
          change((before) => ({
            ...before,
            externals: before.externals.map((other) =>
              other.key === key ? { ...other, fields: chosen } : other,
            ),
          }))
        }
      />
    </div>
  );
}
