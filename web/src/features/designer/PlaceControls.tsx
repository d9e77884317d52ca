import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useLocale } from "~/i18n";
import type { DraftField } from "~/model/typeDraft";
import { LOOSE, moveField, placeOf, shiftField, takesFields } from "~/model/typeEdit";
import { Button } from "~/ui/Button";
import { Select } from "~/ui/Select";
import type { Design } from "./design";
import styles from "./PlaceControls.module.css";

interface Props {
  design: Design;
  field: DraftField;
  onAnnounce: (text: string) => void;
  onRemove: () => void;
}

/** Where a field is: its section, one up or down, or away. */
export function PlaceControls({ design, field, onAnnounce, onRemove }: Props) {
  const { texts } = useLocale();
  const { draft, change } = design;
  const { key, definition } = field;
  const label = definition.label || definition.name;
  const place = placeOf(draft, key);
  const options = [
    ...draft.sections
      .filter(takesFields)
      .map(({ key, section }) => ({ id: key, label: section.label || section.name })),
    { id: LOOSE, label: texts.designer.loose },
  ];
  const length = draft.sections.find((section) => section.key === place.section)?.fields.length;
  const moveTo = (section: string) => {
    const goal = draft.sections.find((candidate) => candidate.key === section);
    change((before) => moveField(before, key, { section, index: goal?.fields.length ?? 0 }));
    const name = options.find(({ id }) => id === section)?.label ?? "";
    onAnnounce(texts.designer.moved(label, name, (goal?.fields.length ?? 0) + 1));
  };
  const shift = (by: 1 | -1) => change((before) => shiftField(before, key, by));
  const isFirst = place.section === options[0]?.id && place.index === 0;
  const isLast =
    place.section === LOOSE ||
    (place.section === options.at(-2)?.id && place.index === (length ?? 0) - 1);
  return (
    <div className={styles.place}>
      <Select
        label={texts.designer.section}
        value={place.section}
        options={options}
        onChange={moveTo}
      />
      <div className={styles.buttons}>
        <Button
          aria-label={texts.designer.moveUp(label)}
          isDisabled={isFirst}
          onPress={() => shift(-1)}
        >
          <ArrowUp size={14} aria-hidden="true" />
        </Button>
        <Button
          aria-label={texts.designer.moveDown(label)}
          isDisabled={isLast}
          onPress={() => shift(1)}
        >
          <ArrowDown size={14} aria-hidden="true" />
        </Button>
        <span className={styles.remove}>
          <Button onPress={onRemove}>
            <Trash2 size={14} aria-hidden="true" />
            {texts.designer.removeField}
          </Button>
        </span>
      </div>
    </div>
  );
}
