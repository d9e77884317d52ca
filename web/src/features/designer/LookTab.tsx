import { useLocale } from "~/i18n";
import { Checkbox } from "~/ui/Checkbox";
import { MultiSelect } from "~/ui/MultiSelect";
import { TextField } from "~/ui/TextField";
import type { Design } from "./design";
import { Externals } from "./Externals";
import { IconPicker } from "./IconPicker";
import styles from "./LookTab.module.css";
import { UniqueSets } from "./UniqueSets";

/** How objects of the type are named and shown. */
export function LookTab({ design }: { design: Design }) {
  const { texts } = useLocale();
  const { draft, change, faults } = design;
  const { description, active, render_meta: meta } = draft.type;
  const fields = draft.fields.map(({ key, definition }) => ({
    id: key,
    label: definition.label || definition.name,
  }));
  return (
    <div className={styles.page}>
      <section className={styles.card}>
        <IconPicker
          value={meta.icon ?? ""}
          onChange={(icon) =>
            change(({ type, ...rest }) => {
              return { ...rest, type: { ...type, render_meta: { ...type.render_meta, icon } } };
            }, "icon")
          }
        />
        <TextField
          label={texts.designer.description}
          lines={2}
          value={description ?? ""}
          error={faults.type.get("description")}
          onChange={(text) =>
            change(
              ({ type, ...rest }) => ({ ...rest, type: { ...type, description: text || null } }),
              "description",
            )
          }
        />
        <div>
          <Checkbox
            label={texts.designer.active}
            isSelected={active}
            onChange={(isActive) =>
              change(({ type, ...rest }) => ({ ...rest, type: { ...type, active: isActive } }))
            }
          />
          <p className={styles.hint}>{texts.designer.activeHint}</p>
        </div>
      </section>
      <section className={styles.card}>
        <MultiSelect
          label={texts.designer.summary}
          hint={texts.designer.summaryHint}
          emptyText={texts.designer.noSummary}
          options={fields}
          value={draft.summary}
          onChange={(summary) => change((before) => ({ ...before, summary }))}
        />
      </section>
      <UniqueSets design={design} />
      <Externals design={design} />
    </div>
  );
}
