import { Download } from "lucide-react";
import { serverUrl } from "~/api/client";
import { listParameters } from "~/api/rows";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import type { View } from "~/model/view";
import { ActionMenu } from "~/ui/ActionMenu";
import { download } from "~/ui/download";
import type { Column } from "./columns";

interface Props {
  view: View;
  columns: readonly Column[];
}

/** Downloads what the table shows: its rows in their order, and its columns. */
export function ExportMenu({ view, columns }: Props) {
  const { texts, number } = useLocale();
  // Spreadsheets split at it where numbers have a comma. At another one than the file's, they would
  // see cells in the middle of texts, which may be formulas.
  const separator = number(0.5).includes(",") ? ";" : ",";
  const formats = Object.entries(FORMATS).filter(([, { isTable }]) => !isTable || view.type);
  return (
    <ActionMenu
      label={texts.table.export}
      actions={formats.map(([id, { query }]) => ({
        id,
        label: texts.table.exports[id as Format],
        run: () => download(exportUrl(view, columns, query.bom ? { ...query, separator } : query)),
      }))}
    >
      <Download size={14} aria-hidden="true" />
      <span className="hidden-on-phones">{texts.table.export}</span>
    </ActionMenu>
  );
}

type Format = "excel" | "csv" | "csvStored" | "json";

const FORMATS: Record<Format, { isTable: boolean; query: Record<string, string> }> = {
  excel: { isTable: true, query: { format: "xlsx", labels: "true" } },
  csv: { isTable: true, query: { format: "csv", labels: "true", bom: "true" } },
  csvStored: { isTable: true, query: { format: "csv" } },
  json: { isTable: false, query: { format: "ndjson" } },
};

function exportUrl(view: View, columns: readonly Column[], query: Record<string, string>): string {
  const url = new URL("rest/exports/objects", serverUrl);
  const paths = columns
    // The server refuses to export secrets.
    .filter(({ field }) => !field || kindOf(field).isEditableInPlace)
    .map(({ path }) => path);
  const chosen = "labels" in query ? { columns: JSON.stringify(paths) } : {};
  for (const [name, value] of Object.entries({ ...listParameters(view), ...query, ...chosen })) {
    url.searchParams.set(name, String(value));
  }
  return url.href;
}
