import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import type { DraftSection } from "~/model/typeDraft";
import { changeSection, removeSection, shiftSection } from "~/model/typeEdit";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/TextField";
import type { Design } from "./design";
import styles from "./SectionHeader.module.css";

interface Props {
  design: Design;
  section: DraftSection;
  isFirst: boolean;
  isLast: boolean;
  onAnnounce: (text: string) => void;
}

/** The label of a section, and what moves or removes it. */
export function SectionHeader({ design, section, isFirst, isLast, onAnnounce }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data;
  const { key } = section;
  const { label, reference } = section.section;
  const { change } = design;
  const target = types?.find((type) => type.public_id === reference?.type_id);
  const shown = target?.render_meta.sections.find(({ name }) => name === reference?.section_name);
  return (
    <div className={styles.header}>
      <div className={styles.label}>
        <TextField
          label={texts.designer.sectionLabel}
          hidesLabel
          value={label}
          onChange={(text) => {
            change((before) => changeSection(before, key, { label: text }), `section/${key}`);
          }}
        />
        {reference && (
          <p className={styles.hint}>
            {texts.designer.showsSection(
              shown?.label ?? reference.section_name,
              target?.label ?? `#${reference.type_id}`,
            )}
          </p>
        )}
      </div>
      <Button
        variant="quiet"
        aria-label={texts.designer.moveUp(label)}
        isDisabled={isFirst}
        onPress={() => change((before) => shiftSection(before, key, -1))}
      >
        <ArrowUp size={14} aria-hidden="true" />
      </Button>
      <Button
        variant="quiet"
        aria-label={texts.designer.moveDown(label)}
        isDisabled={isLast}
        onPress={() => change((before) => shiftSection(before, key, 1))}
      >
        <ArrowDown size={14} aria-hidden="true" />
      </Button>
      <Button
        variant="quiet"
        aria-label={texts.designer.removeSection(label)}
        onPress={() => {
          change((before) => removeSection(before, key));
          onAnnounce(texts.designer.sectionRemoved(label));
        }}
      >
        <Trash2 size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}
