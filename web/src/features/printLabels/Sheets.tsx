import { useLocale } from "~/i18n";
import { pagesOf, SHEETS, type SheetName } from "~/model/printLabels";
import { Label } from "./Label";
import styles from "./Sheets.module.css";
import type { LabelContent } from "./usePrintLabels";

interface Props {
  sheet: SheetName;
  contents: readonly LabelContent[];
}

/** The sheets as they are printed. */
export function Sheets({ sheet, contents }: Props) {
  const { texts } = useLocale();
  const pages = pagesOf(contents, SHEETS[sheet]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, no key scrolls the sheets
    <section className={styles.sheets} aria-label={texts.labels.sample} tabIndex={0}>
      {pages.map((labels) => (
        <ol key={labels[0]?.id} className={styles.sheet} data-sheet={sheet}>
          {labels.map((content) => (
            <Label key={content.id} content={content} />
          ))}
        </ol>
      ))}
    </section>
  );
}
