import { Button, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { useLocale } from "~/i18n";
import { kindLabel, kindNamed } from "~/kinds/registry";
import { KIND } from "./drag";
import styles from "./Palette.module.css";

interface Props {
  kinds: readonly string[];
  onAdd: (kind: string) => void;
}

/** The kinds of new fields, to press or to drag. */
export function Palette({ kinds, onAdd }: Props) {
  const { texts } = useLocale();
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((kind) => ({ [KIND]: String(kind) })),
    getAllowedDropOperations: () => ["copy"],
  });
  return (
    <section className={styles.palette} aria-labelledby="palette-title">
      <h2 id="palette-title" className={styles.title}>
        {texts.designer.palette}
      </h2>
      <GridList
        aria-labelledby="palette-title"
        className={styles.list ?? ""}
        layout="grid"
        dragAndDropHooks={dragAndDropHooks}
        onAction={(kind) => onAdd(String(kind))}
      >
        {kinds.map((kind) => {
          const { icon: Icon } = kindNamed(kind);
          const label = kindLabel(kind, texts);
          return (
            <GridListItem key={kind} id={kind} textValue={label} className={styles.kind ?? ""}>
              <Button
                slot="drag"
                className={styles.handle ?? ""}
                aria-label={texts.designer.drag(label)}
              >
                <Icon size={14} aria-hidden="true" />
              </Button>
              {label}
            </GridListItem>
          );
        })}
      </GridList>
      <p className={styles.hint}>{texts.designer.paletteHint}</p>
    </section>
  );
}
