import type { Texts } from "../en";

export const labels: Texts["labels"] = {
  title: "Etiketten drucken",
  print: "Etiketten drucken",
  sheet: "Etikettenbogen",
  sheets: {
    "62x29": "Rolle, 62 × 29 mm",
    "a4-3x8": "A4, 3 × 8 Etiketten",
    "a4-4x10": "A4, 4 × 10 Etiketten",
  },
  count: (count, text) => (count === 1 ? "1 Etikett" : `${text} Etiketten`),
  hint: "Drucken Sie ohne Ränder und mit 100 % Skalierung, damit die Etiketten auf den Bogen passen.",
  fields: "Felder",
  noFields: "Nur Name und ID werden gedruckt. Suchen Sie ein Feld, um es hinzuzufügen.",
  barcode: "Barcode",
  noBarcode: "Keiner",
  barcodeHint: (count) =>
    `${count} ohne Barcode: Das Feld ist leer oder enthält Zeichen, die sich nicht als Barcode darstellen lassen.`,
  sample: "Vorschau",
  empty: "Keine Objekte ausgewählt. Wählen Sie Zeilen einer Tabelle aus, dann „Etiketten drucken“.",
  toObjects: "Alle Objekte anzeigen",
  missing: (count) => `Gelöscht oder für Sie nicht sichtbar: ${count}.`,
  tooMany: (most) =>
    `Nur die ersten ${most} Etiketten werden angezeigt. Drucken Sie die übrigen danach.`,
};
