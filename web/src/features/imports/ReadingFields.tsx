import type { ReadingOptions } from "~/api/importUpload";
import { useLocale } from "~/i18n";
import { Checkbox } from "~/ui/Checkbox";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "./imports.module.css";

const FORMATS = ["csv", "xlsx", "json", "ndjson"];
const SEPARATORS = [",", ";", "tab", "|"];
/** Those that spreadsheets write; the server knows more. */
const ENCODINGS = ["utf-8", "windows-1252", "iso-8859-15", "windows-1250", "shift_jis", "utf-16le"];

interface Props {
  options: ReadingOptions;
  /** The sheets of the file, if they are known. */
  sheets: readonly string[];
  onChange: (options: ReadingOptions) => void;
}

/** How a file is read. */
export function ReadingFields({ options, sheets, onChange }: Props) {
  const { texts } = useLocale();
  const { format, separator, encoding, sheet, header, headerRow } = options;
  const change = (part: Partial<ReadingOptions>) => onChange({ ...options, ...part });
  const detect = { id: "", label: texts.imports.detect };
  const named = (ids: readonly string[], nameOf = (id: string) => id) => [
    detect,
    ...ids.map((id) => ({ id, label: nameOf(id) })),
  ];
  // Nothing else has separators and encodings, or sheets.
  const isText = format === "" || format === "csv";
  const isBook = format === "" || format === "xlsx";
  return (
    <div className={styles.options}>
      <Select
        label={texts.imports.format}
        options={named(FORMATS, (id) => id.toUpperCase())}
        value={format}
        onChange={(chosen) => change({ format: chosen })}
      />
      {isText && (
        <>
          <Select
            label={texts.imports.separator}
            options={named(SEPARATORS, (id) => texts.imports.separators[id] ?? id)}
            value={separator}
            onChange={(chosen) => change({ separator: chosen })}
          />
          <Select
            label={texts.imports.encoding}
            options={named(ENCODINGS)}
            value={encoding}
            onChange={(chosen) => change({ encoding: chosen })}
          />
        </>
      )}
      {isBook && sheets.length > 0 && (
        <Select
          label={texts.imports.sheet}
          options={[
            { id: "", label: texts.imports.firstSheet },
            ...sheets.map((name) => ({ id: name, label: name })),
          ]}
          value={sheet}
          onChange={(chosen) => change({ sheet: chosen })}
        />
      )}
      {isBook && sheets.length === 0 && (
        <TextField
          label={texts.imports.sheet}
          placeholder={texts.imports.firstSheet}
          value={sheet}
          onChange={(chosen) => change({ sheet: chosen })}
        />
      )}
      <Checkbox
        label={texts.imports.header}
        isSelected={header}
        onChange={(isSelected) => change({ header: isSelected })}
      />
      {header && (
        <TextField
          label={texts.imports.headerRow}
          placeholder={texts.imports.detect}
          value={headerRow}
          onChange={(typed) => change({ headerRow: typed.replace(/\D/g, "") })}
        />
      )}
    </div>
  );
}
