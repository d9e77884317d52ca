import { Upload } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { useInstallPack } from "~/actions/useInstallPack";
import { useLocale } from "~/i18n";
import { type Pack, readPack } from "~/model/pack";
import { readJson } from "~/model/typeJson";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { TextField } from "~/ui/TextField";
import styles from "./ImportDialog.module.css";

const LINES = 12;

/** Makes types of a text or a file. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { texts } = useLocale();
  const { install, isReady } = useInstallPack();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const read = useRead(text);
  const run = async (pack: Pack) => {
    setIsBusy(true);
    try {
      await install(pack, (added) => texts.designer.imported(added.join(", ")));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  const type = (next: string) => {
    setText(next);
    setProblem(undefined);
  };
  const { pack, fault } = read;
  return (
    <Dialog
      title={texts.designer.importTitle}
      isOpen
      width="wide"
      onClose={onClose}
      alert={problem !== undefined && <ProblemAlert error={problem} />}
      actions={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={!pack || !isReady || isBusy}
            onPress={() => pack && run(pack)}
          >
            {texts.designer.importRun}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{texts.designer.importHint}</p>
        <div>
          <FileTrigger
            acceptedFileTypes={["application/json", ".json"]}
            onSelect={async (files) => {
              const file = files?.[0];
              if (file) type(await file.text());
            }}
          >
            <Button>
              <Upload size={14} aria-hidden="true" />
              {texts.designer.chooseFile}
            </Button>
          </FileTrigger>
        </div>
        <div className={styles.area}>
          <TextField
            label={texts.designer.importText}
            lines={LINES}
            spellCheck="false"
            value={text}
            error={fault}
            onChange={type}
          />
        </div>
        {pack && (
          <p role="status">
            {texts.designer.importFound(pack.types.map(({ label }) => label).join(", "))}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** What the text says, or what is wrong with it. */
function useRead(text: string): { pack?: Pack; fault?: string } {
  const { texts } = useLocale();
  if (text.trim() === "") return {};
  const json = readJson(text);
  const read = json.is === "read" ? readPack(json.value) : json;
  if (read.is === "no-json") return { fault: texts.designer.jsonSyntax(read.detail) };
  if (read.is === "no-type") return { fault: texts.designer.jsonShape };
  return { pack: read.value };
}
