import { Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useLocale } from "~/i18n";
import { fieldOf, looseFields, sectionFields, type TypeDraft } from "~/model/typeDraft";
import {
  addSection,
  LOOSE,
  moveField,
  neighbourOf,
  type Place,
  placeOf,
  removeField,
  shiftField,
} from "~/model/typeEdit";
import { Button } from "~/ui/Button";
import styles from "./Canvas.module.css";
import type { Design } from "./design";
import { FieldList } from "./FieldList";
import { SectionHeader } from "./SectionHeader";

interface Props {
  design: Design;
  chosen: string | undefined;
  onChoose: (key: string | undefined) => void;
  onAdd: (kind: string, place: Place) => void;
  /** Tells people who do not see the canvas. */
  onAnnounce: (text: string) => void;
}

/** The sections with their fields, which keys and the mouse can move. */
export function Canvas({ design, chosen, onChoose, onAdd, onAnnounce }: Props) {
  const { texts } = useLocale();
  const { draft, change, faults } = design;
  const canvas = useRef<HTMLElement>(null);
  const focusOn = useRef<string>(undefined);
  // A row that went into another list is a new element, which that list renders after this.
  useEffect(() => {
    const key = focusOn.current;
    if (key === undefined) return;
    const frame = requestAnimationFrame(() => {
      focusOn.current = undefined;
      rowOf(canvas.current, key)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
  // A new field may be out of sight, or on a phone below the sheet with its properties.
  useEffect(() => {
    if (chosen === undefined) return;
    const frame = requestAnimationFrame(() =>
      rowOf(canvas.current, chosen)?.scrollIntoView({ block: "nearest" }),
    );
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  const move = (key: string, step: (draft: TypeDraft) => TypeDraft) => {
    const after = step(draft);
    if (after === draft) return;
    focusOn.current = key;
    change(() => after);
    onChoose(key);
    onAnnounce(whereabouts(after, key));
  };
  const whereabouts = (after: TypeDraft, key: string) => {
    const { section, index } = placeOf(after, key);
    const label = after.sections.find((other) => other.key === section)?.section.label;
    const field = fieldOf(after, key)?.definition.label ?? "";
    return texts.designer.moved(field, label ?? texts.designer.loose, index + 1);
  };
  const press = (event: KeyboardEvent) => {
    const key = rowKey(event.target);
    if (key === undefined) return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      event.stopPropagation();
      move(key, (before) => shiftField(before, key, event.key === "ArrowUp" ? -1 : 1));
    }
    if (event.key === "Delete" && !isLocked(draft, key)) {
      event.stopPropagation();
      const next = neighbourOf(draft, key)?.key;
      focusOn.current = next;
      onAnnounce(texts.designer.removed(fieldOf(draft, key)?.definition.label ?? ""));
      change((before) => removeField(before, key));
      onChoose(next);
    }
  };
  const lists = { chosen, onChoose, onAdd, faults };
  const drop = (key: string, place: Place) => move(key, (before) => moveField(before, key, place));
  const loose = looseFields(draft);
  return (
    <section
      ref={canvas}
      className={styles.canvas}
      aria-label={texts.designer.canvas}
      onKeyDownCapture={press}
    >
      {draft.fields.length === 0 && <p className={styles.hint}>{texts.designer.noFields}</p>}
      {draft.sections.map((section, index) => (
        <div key={section.key} className={styles.section}>
          <SectionHeader
            design={design}
            section={section}
            isFirst={index === 0}
            isLast={index === draft.sections.length - 1}
            onAnnounce={onAnnounce}
          />
          <FieldList
            {...lists}
            label={section.section.label}
            section={section.key}
            fields={sectionFields(draft, section)}
            isLocked={Boolean(section.section.reference)}
            onDrop={drop}
          />
        </div>
      ))}
      {loose.length > 0 && (
        <div className={styles.section}>
          <h3>{texts.designer.loose}</h3>
          <p className={styles.hint}>{texts.designer.looseHint}</p>
          <FieldList
            {...lists}
            label={texts.designer.loose}
            section={LOOSE}
            fields={loose}
            isLocked={false}
            onDrop={drop}
          />
        </div>
      )}
      <div className={styles.footer}>
        <Button onPress={() => change((before) => addSection(before, texts.designer.newSection))}>
          <Plus size={14} aria-hidden="true" />
          {texts.designer.addSection}
        </Button>
        <p className={styles.hint}>{texts.designer.canvasHint}</p>
      </div>
    </section>
  );
}

/** The field of a section that shows another object goes with that section. */
export function isLocked(draft: TypeDraft, key: string): boolean {
  return draft.sections.some(
    ({ section, fields }) => Boolean(section.reference) && fields.includes(key),
  );
}

function rowOf(canvas: HTMLElement | null, key: string): HTMLElement | null {
  return canvas?.querySelector<HTMLElement>(`[role=row][data-key=${CSS.escape(key)}]`) ?? null;
}

function rowKey(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>("[role=row]")?.dataset["key"];
}
