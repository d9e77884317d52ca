export const labels = {
  title: "Print labels",
  print: "Print",
  sheet: "Sheet",
  sheets: {
    "62x29": "Roll, 62 × 29 mm",
    "a4-3x8": "A4, 3 × 8 labels",
    "a4-4x10": "A4, 4 × 10 labels",
  },
  count: (count: number, text: string) => (count === 1 ? "One label" : `${text} labels`),
  hint: "Print without margins and at 100 %, so that the labels fit their sheet.",
  fields: "Fields",
  noFields: "Only the name and the number are printed. Find a field to add it.",
  barcode: "Barcode",
  noBarcode: "None",
  barcodeHint: (count: string) =>
    `${count} without barcode: the field is empty there, or has characters that barcodes do not have.`,
  sample: "Sheets",
  empty: "No objects are chosen. Mark rows in a table, and choose Print labels.",
  toObjects: "Show all objects",
  missing: (count: string) => `Deleted, or not visible to you: ${count}.`,
  tooMany: (most: string) => `Only the first ${most} are shown. Print the others afterwards.`,
};
