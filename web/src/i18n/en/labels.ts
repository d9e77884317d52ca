export const labels = {
  title: "Print labels",
  print: "Print labels",
  sheet: "Label sheet",
  sheets: {
    "62x29": "Roll, 62 × 29 mm",
    "a4-3x8": "A4, 3 × 8 labels",
    "a4-4x10": "A4, 4 × 10 labels",
  },
  count: (count: number, text: string) => (count === 1 ? "1 label" : `${text} labels`),
  hint: "Print without margins and at a scale of 100%, so that the labels fit the sheet.",
  fields: "Fields",
  noFields: "Only the name and the ID are printed. Search for a field to add it.",
  barcode: "Barcode",
  noBarcode: "None",
  barcodeHint: (count: string) =>
    `${count} without barcode: the field is empty or contains characters that barcodes cannot encode.`,
  sample: "Preview",
  empty: "No objects selected. Select rows in a table, then choose Print labels.",
  toObjects: "Show all objects",
  missing: (count: string) => `Deleted, or not visible to you: ${count}.`,
  tooMany: (most: string) =>
    `Only the first ${most} labels are shown. Print the others afterwards.`,
};
