import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import type { ReadingOptions } from "~/api/importUpload";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Disclosed } from "./Disclosed";
import { fileOf } from "./files";
import styles from "./imports.module.css";
import { Meter } from "./Meter";
import { ReadingFields } from "./ReadingFields";
import { useUpload } from "./useUpload";

/** What was detected in a file, and a way to read it differently. */
export function FileFacts({ shown, type }: { shown: Import; type: number | undefined }) {
  const { texts, number } = useLocale();
  const { imports } = texts;
  const { format, separator, encoding, sheet, sheets, header, header_row } = shown.file;
  const [options, setOptions] = useState<ReadingOptions>(() => optionsOf(shown));
  const { upload, error, send } = useUpload(type, shown.id);
  const file = fileOf(shown.id);
  const facts = [
    format.toUpperCase(),
    separator && (imports.separators[separator === "\t" ? "tab" : separator] ?? separator),
    encoding,
    sheet,
    header ? "" : imports.noHeader,
    isBelowTitle(header_row) && imports.headerIn(number(header_row)),
    imports.rowsOf(shown.rows, number(shown.rows)),
  ];
  return (
    <section aria-label={imports.file}>
      <p className={styles.soft}>{facts.filter(Boolean).join(" · ")}</p>
      <Disclosed label={imports.options}>
        <ReadingFields options={options} sheets={sheets} onChange={setOptions} />
        {error !== undefined && <ProblemAlert error={error} />}
        {upload ? (
          <Meter label={imports.uploading(upload.name)} value={upload.progress} />
        ) : (
          <div className={styles.actions}>
            {file ? (
              <Button onPress={() => send(file, options)}>{imports.readAgain}</Button>
            ) : (
              <>
                <FileTrigger
                  onSelect={(files) => {
                    const file = files?.[0];
                    if (file) send({ name: file.name, content: file }, options);
                  }}
                >
                  <Button>{imports.chooseAgain}</Button>
                </FileTrigger>
                <span className={styles.soft}>{imports.chooseAgainHint}</span>
              </>
            )}
          </div>
        )}
      </Disclosed>
    </section>
  );
}

/** Whether a title stands above the names of the columns. */
function isBelowTitle(row: number | null): row is number {
  return row !== null && row > 1;
}

/** What the file was read with, to change one part of it. */
function optionsOf({ file }: Import): ReadingOptions {
  const { format, separator, encoding, sheet, header, header_row } = file;
  return {
    format,
    separator: separator === "\t" ? "tab" : (separator ?? ""),
    encoding: encoding?.toLowerCase() ?? "",
    sheet: sheet ?? "",
    header,
    headerRow: isBelowTitle(header_row) ? String(header_row) : "",
  };
}
