import { Copy, Download } from "lucide-react";
import { useState } from "react";
import { useLocale } from "~/i18n";
import { bodyOf } from "~/model/typeDraft";
import { readJson, readType, withContent } from "~/model/typeJson";
import { Button } from "~/ui/Button";
import { copyText } from "~/ui/copyText";
import { downloadJson } from "~/ui/download";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import type { Design } from "./design";
import styles from "./JsonTab.module.css";

interface Props {
  design: Design;
  isReadOnly: boolean;
}

const LINES = 24;

/** The draft as the API sees it. */
export function JsonTab({ design, isReadOnly }: Props) {
  const { texts } = useLocale();
  const { draft, base, change } = design;
  const current = JSON.stringify(bodyOf(draft), null, 2);
  // Nothing as long as nobody has typed here.
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const text = typed ?? current;
  const apply = () => {
    const json = readJson(text);
    const read = json.is === "read" ? readType(json.value) : json;
    if (read.is === "no-json") return setFault(texts.designer.jsonSyntax(read.detail));
    if (read.is === "no-type") return setFault(texts.designer.jsonShape);
    change((before) => withContent(base, before, read.value));
    setTyped(undefined);
    setFault(undefined);
    toast(texts.designer.jsonApplied);
  };
  return (
    <div className={styles.page}>
      <div className={styles.area}>
        <TextField
          label={texts.designer.json}
          hint={isReadOnly ? undefined : texts.designer.jsonHint}
          lines={LINES}
          spellCheck="false"
          value={text}
          isReadOnly={isReadOnly}
          error={fault}
          onChange={setTyped}
        />
      </div>
      <div className={styles.actions}>
        {!isReadOnly && (
          <Button variant="primary" onPress={apply} isDisabled={text === current}>
            {texts.designer.applyJson}
          </Button>
        )}
        <Button
          onPress={() => {
            copyText(text);
            toast(texts.copied);
          }}
        >
          <Copy size={14} aria-hidden="true" />
          {texts.designer.copyJson}
        </Button>
        <Button onPress={() => downloadJson(`${draft.type.name || "type"}.json`, current)}>
          <Download size={14} aria-hidden="true" />
          {texts.designer.download}
        </Button>
      </div>
    </div>
  );
}
