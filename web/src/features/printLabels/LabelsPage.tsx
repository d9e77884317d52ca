import { Link } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { useActions } from "~/actions";
import { useLocale } from "~/i18n";
import { code128 } from "~/model/code128";
import { FIRST_SHEET, idsOf, type LabelSearch, MOST_LABELS } from "~/model/printLabels";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { LabelOptions } from "./LabelOptions";
import styles from "./LabelsPage.module.css";
import { Sheets } from "./Sheets";
import { usePrintLabels } from "./usePrintLabels";

interface Props {
  search: LabelSearch;
  onSearch: (search: LabelSearch) => void;
}

/** Labels of chosen objects, to look at and to print. */
export function LabelsPage({ search, onSearch }: Props) {
  const { texts, number } = useLocale();
  const { contents, fields, isPending, error, retry, missing, isCut } = usePrintLabels(search);
  const print = { id: "print", label: texts.labels.print, run: () => window.print() };
  const isReady = contents.length > 0;
  useActions(isReady ? [print] : []);
  const withoutBarcode =
    search.barcode === undefined ? 0 : contents.filter(({ barcode }) => !code128(barcode)).length;
  const notes = [
    isCut && texts.labels.tooMany(number(MOST_LABELS)),
    !isPending && !error && missing > 0 && texts.labels.missing(number(missing)),
    withoutBarcode > 0 && texts.labels.barcodeHint(number(withoutBarcode)),
  ].filter((note) => note !== false);
  return (
    <div className={styles.page}>
      <Page
        title={texts.labels.title}
        hint={
          isReady &&
          `${texts.labels.count(contents.length, number(contents.length))}. ${texts.labels.hint}`
        }
        actions={
          isReady && (
            <Button variant="primary" onPress={print.run}>
              <Printer size={14} aria-hidden="true" />
              {print.label}
            </Button>
          )
        }
      >
        {error && <ProblemAlert error={error} onRetry={retry} />}
        {isPending && <p>{texts.loading}</p>}
        {idsOf(search).length === 0 && (
          <p className={styles.empty}>
            {texts.labels.empty} <Link to="/objects">{texts.labels.toObjects}</Link>
          </p>
        )}
        {notes.map((note) => (
          <p key={note} className={styles.note} role="status">
            {note}
          </p>
        ))}
        {isReady && <LabelOptions search={search} onSearch={onSearch} fields={fields} />}
        {isReady && <Sheets sheet={search.sheet ?? FIRST_SHEET} contents={contents} />}
      </Page>
    </div>
  );
}
