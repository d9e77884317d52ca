import type { Texts } from "../en";

export const labels: Texts["labels"] = {
  title: "Etiketten drucken",
  print: "Drucken",
  sheet: "Bogen",
  sheets: {
    "62x29": "Rolle, 62 × 29 mm",
    "a4-3x8": "A4, 3 × 8 Etiketten",
    "a4-4x10": "A4, 4 × 10 Etiketten",
  },
  count: (count, text) => (count === 1 ? "Ein Etikett" : `${text} Etiketten`),
  hint: "Drucken Sie ohne Ränder und mit 100 %, damit die Etiketten auf den Bogen passen.",
  fields: "Felder",
  noFields: "Nur Name und Nummer werden gedruckt. Suchen Sie ein Feld, um es hinzuzufügen.",
  barcode: "Strichcode",
  noBarcode: "Keiner",
  barcodeHint: (count) =>
    `${count} ohne Strichcode: Das Feld ist dort leer oder hat Zeichen, die Strichcodes nicht haben.`,
  sample: "Bögen",
  empty:
    "Keine Objekte sind gewählt. Markieren Sie Zeilen einer Tabelle und wählen Sie Etiketten drucken.",
  toObjects: "Alle Objekte zeigen",
  missing: (count) => `Gelöscht oder für Sie nicht sichtbar: ${count}.`,
  tooMany: (most) => `Nur die ersten ${most} werden gezeigt. Drucken Sie die anderen danach.`,
};
