/** Cells as text, in the form that spreadsheets copy and paste. */

const NEEDS_QUOTES = /["\t\n\r]/;

export function toClipboard(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(quoted).join("\t")).join("\n");
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A cell in quotes, up to what ends it. */
const QUOTED = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)/y;

/** Reads cells; a cell in quotes may hold tabs and line ends. A quote within a cell is one. */
export function fromClipboard(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isCellBegin = true;
  let at = 0;
  const endCell = () => {
    row.push(cell);
    cell = "";
    isCellBegin = true;
  };
  while (at < text.length) {
    QUOTED.lastIndex = at;
    const quoted = isCellBegin && text[at] === '"' ? QUOTED.exec(text) : null;
    isCellBegin = false;
    if (quoted) {
      cell = (quoted[1] ?? "").replaceAll('""', '"');
      at += quoted[0].length;
      continue;
    }
    const letter = text[at] ?? "";
    at += 1;
    if (letter === "\t") endCell();
    else if (letter === "\n") {
      endCell();
      rows.push(row);
      row = [];
    } else if (letter !== "\r") cell += letter;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell]);
  return rows;
}
