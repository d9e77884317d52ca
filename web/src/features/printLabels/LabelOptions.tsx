import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { FIRST_SHEET, fieldNames, type LabelSearch, SHEET_NAMES } from "~/model/printLabels";
import { MultiSelect } from "~/ui/MultiSelect";
import { Select } from "~/ui/Select";
import styles from "./LabelsPage.module.css";

interface Props {
  search: LabelSearch;
  onSearch: (search: LabelSearch) => void;
  fields: readonly FieldDefinition[];
}

/** No field has this name. */
const NONE = "";

/** What is printed on which sheet. */
export function LabelOptions({ search, onSearch, fields }: Props) {
  const { texts } = useLocale();
  const options = fields
    .filter((field) => kindOf(field).isEditableInPlace)
    .map(({ name, label }) => ({ id: name, label: label || name }));
  return (
    <div className={styles.options}>
      <Select
        label={texts.labels.sheet}
        options={SHEET_NAMES.map((id) => ({ id, label: texts.labels.sheets[id] }))}
        value={search.sheet ?? FIRST_SHEET}
        onChange={(sheet) => onSearch({ ...search, sheet })}
      />
      <Select
        label={texts.labels.barcode}
        options={[{ id: NONE, label: texts.labels.noBarcode }, ...options]}
        value={search.barcode ?? NONE}
        onChange={(barcode) => onSearch({ ...search, barcode })}
      />
      <MultiSelect
        label={texts.labels.fields}
        emptyText={texts.labels.noFields}
        options={options}
        value={fieldNames(search)}
        onChange={(names) => onSearch({ ...search, fields: names.join(",") })}
      />
    </div>
  );
}
