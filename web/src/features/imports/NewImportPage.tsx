import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLatest } from "~/actions/useLatest";
import { DETECTED, type ImportFile } from "~/api/importUpload";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { mayHoldRecords, recordBody } from "~/model/recordFile";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { TextField } from "~/ui/TextField";
import { Disclosed } from "./Disclosed";
import { FileDrop } from "./FileDrop";
import styles from "./imports.module.css";
import { Meter } from "./Meter";
import { ReadingFields } from "./ReadingFields";
import { RecordsPanel } from "./RecordsPanel";
import { StepList } from "./StepList";
import { useUpload } from "./useUpload";

const LINES = 6;

/** Takes a file or rows, and leads to what becomes of them. */
export function NewImportPage({ type }: { type: number | undefined }) {
  const { texts } = useLocale();
  const known = useQuery(typesQuery).data?.find(({ public_id }) => public_id === type);
  const [options, setOptions] = useState(DETECTED);
  const [rows, setRows] = useState("");
  const { upload, error, send, stop } = useUpload(type);
  const [records, setRecords] = useState<string>();
  const sendFile = async (file: File) => {
    const body = mayHoldRecords(file) ? recordBody(await file.text()) : undefined;
    if (body === undefined) send({ name: file.name, content: file }, options);
    else setRecords(body);
  };
  const sendRows = () => {
    const body = recordBody(rows);
    if (body === undefined) send(pasted(rows, texts.imports.pastedName), options);
    else setRecords(body);
  };
  usePaste(setRows, sendFile);
  const isEmpty = rows.trim() === "";
  if (records !== undefined) {
    return (
      <Page title={texts.imports.newTitle} hint={texts.imports.records.hint}>
        <RecordsPanel body={records} onClose={() => setRecords(undefined)} />
      </Page>
    );
  }
  return (
    <Page
      title={known ? texts.imports.importInto(known.label || known.name) : texts.imports.newTitle}
      hint={texts.imports.newHint}
    >
      <StepList current="file" />
      {error !== undefined && <ProblemAlert error={error} />}
      {upload ? (
        <Sending {...upload} onCancel={stop} />
      ) : (
        <>
          <FileDrop onFile={sendFile} />
          <form
            className={styles.paste}
            onSubmit={(event) => {
              event.preventDefault();
              if (!isEmpty) sendRows();
            }}
          >
            <TextField
              label={texts.imports.paste}
              hint={texts.imports.pasteHint}
              lines={LINES}
              spellCheck="false"
              value={rows}
              onChange={setRows}
            />
            <div>
              <Button type="submit" variant={isEmpty ? "plain" : "primary"} isDisabled={isEmpty}>
                {texts.imports.pasteDo}
              </Button>
            </div>
          </form>
          <Disclosed label={texts.imports.options}>
            <p className={styles.soft}>{texts.imports.optionsHint}</p>
            <ReadingFields options={options} sheets={[]} onChange={setOptions} />
          </Disclosed>
        </>
      )}
    </Page>
  );
}

interface SendingProps {
  name: string;
  progress: number;
  onCancel: () => void;
}

function Sending({ name, progress, onCancel }: SendingProps) {
  const { texts } = useLocale();
  return (
    <div className={styles.work}>
      <Meter label={texts.imports.uploading(name)} value={progress} />
      <p className={styles.soft}>{progress === 1 ? texts.imports.reading : ""}</p>
      <div>
        <Button onPress={onCancel}>{texts.cancel}</Button>
      </div>
    </div>
  );
}

/** Rows as a file. Its name tells CSV with one column from other texts. */
function pasted(rows: string, name: string): ImportFile {
  const isJson = /^\s*[[{]/.test(rows);
  return { name: isJson ? name : `${name}.csv`, content: new Blob([rows]) };
}

/** Takes what is pasted anywhere but into a field. */
function usePaste(onText: (text: string) => void, onFile: (file: File) => void) {
  const latest = useLatest({ onText, onFile });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const file = clipboardData?.files[0];
      const text = clipboardData?.getData("text/plain") ?? "";
      if (text) latest.current.onText(text);
      else if (file) latest.current.onFile(file);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [latest]);
}
