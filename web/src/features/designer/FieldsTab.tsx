import { useState } from "react";
import { useLocale } from "~/i18n";
import { KINDS_TO_CHOOSE, kindLabel, kindNamed } from "~/kinds/registry";
import { nameFrom } from "~/model/apiName";
import { fieldOf, type TypeDraft } from "~/model/typeDraft";
import { addField, LOOSE, type Place, placeOf, takesFields } from "~/model/typeEdit";
import { Canvas } from "./Canvas";
import type { Design } from "./design";
import styles from "./FieldsTab.module.css";
import { Palette } from "./Palette";
import { Properties } from "./Properties";

/** The palette, the sections with their fields, and the properties of one field. */
export function FieldsTab({ design }: { design: Design }) {
  const { texts } = useLocale();
  const { draft, change } = design;
  const [chosen, setChosen] = useState<string>();
  const [announcement, announce] = useState("");
  const field = chosen === undefined ? undefined : fieldOf(draft, chosen);
  const add = (kind: string, place = placeAfter(draft, field?.key)) => {
    const label = kindLabel(kind, texts);
    // The step runs more than once in development; its key depends on the draft alone.
    const definition = { type: kind, name: nameFrom(label), label, ...kindNamed(kind).initial };
    setChosen(`n-${draft.next}`);
    change((before) => addField(before, definition, place));
    announce(texts.designer.added(label));
  };
  return (
    <>
      <div className={styles.areas}>
        <Palette kinds={KINDS_TO_CHOOSE} onAdd={add} />
        <Canvas
          design={design}
          chosen={field?.key}
          onChoose={setChosen}
          onAdd={add}
          onAnnounce={announce}
        />
        <Properties
          key={field?.key}
          design={design}
          field={field}
          onClose={() => setChosen(undefined)}
          onAnnounce={announce}
          onRemoved={setChosen}
        />
      </div>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  );
}

/** Behind the chosen field, else at the end of the last section. */
function placeAfter(draft: TypeDraft, chosen: string | undefined): Place {
  if (chosen !== undefined) {
    const { section, index } = placeOf(draft, chosen);
    const goal = draft.sections.find(({ key }) => key === section);
    if (goal && takesFields(goal)) return { section, index: index + 1 };
  }
  const last = draft.sections.filter(takesFields).at(-1);
  return last ? { section: last.key, index: last.fields.length } : { section: LOOSE, index: 0 };
}
