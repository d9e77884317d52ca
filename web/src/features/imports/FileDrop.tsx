import { FileUp } from "lucide-react";
import { DropZone, FileTrigger } from "react-aria-components";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import styles from "./imports.module.css";

const ACCEPTED = [".csv", ".tsv", ".txt", ".xlsx", ".json", ".ndjson", ".jsonl"];

/** Takes a file that is dropped, chosen or pasted. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const { texts } = useLocale();
  return (
    <DropZone
      className={styles.drop ?? ""}
      aria-label={texts.imports.drop}
      onDrop={async ({ items }) => {
        const item = items.find(({ kind }) => kind === "file");
        if (item?.kind === "file") onFile(await item.getFile());
      }}
    >
      <FileUp size={28} aria-hidden="true" />
      <p className={styles.dropTitle}>{texts.imports.drop}</p>
      <FileTrigger
        acceptedFileTypes={ACCEPTED}
        onSelect={(files) => {
          const file = files?.[0];
          if (file) onFile(file);
        }}
      >
        <Button variant="primary">{texts.imports.choose}</Button>
      </FileTrigger>
      <p className={styles.soft}>{texts.imports.orPaste}</p>
    </DropZone>
  );
}
