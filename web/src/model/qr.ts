/** QR codes as drawings. */
import { encode } from "uqr";

export interface QrDrawing {
  /** Modules on each side, with the quiet zone. */
  size: number;
  /** The dark modules as the path of an SVG, one unit each. */
  path: string;
}

/** A label has a margin of its own, which readers take as the rest of the quiet zone. */
const QUIET_ZONE = 2;

/** The code of a text. Level M still reads if 15 % of it are dirty. */
export function qrDrawing(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return { size, path: data.map(rowPath).join("") };
}

/** The dark modules of a row; neighbours are one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end += 1;
    path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    x = end;
  }
  return path;
}
