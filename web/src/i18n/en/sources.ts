export const sources = {
  title: "Sources",
  hint: "Saved mappings of imports that come again. They know which object belongs to which record.",
  empty: "There are no sources yet. Save one beside the columns of an import.",
  name: "Name",
  nameHint: "Such as the system that the file comes from.",
  externalKey: "What identifies a record",
  externalKeyHint:
    "Columns whose values never change, such as a serial number. Objects are then found again whatever their names are. Without a choice, only the mapping is saved.",
  missing: "If records are missing",
  policies: {
    keep: { label: "Do nothing", text: "The objects stay as they are." },
    flag: { label: "Flag them", text: "The source notes since when a record is missing." },
    deactivate: {
      label: "Deactivate the objects",
      text: "They become active again when their records return.",
    },
    delete: {
      label: "Delete the objects",
      text: "Objects to which others refer are kept. An undo brings them back.",
    },
  },
  limit: "At most so many percent at once",
  limitHint: "If more are missing, the file is probably incomplete, and no object is touched.",
  save: "Save as source",
  saveHint: "The columns, the key and the policy are kept for the next files.",
  saveDo: "Save and check all rows",
  saved: (name: string) => `The source ${name} was saved.`,
  use: "Use a source",
  useHint: "These sources fit the columns of the file.",
  checkWith: (name: string) => `Check with ${name}`,
  bound: (name: string) => `By the source ${name}`,
  lastRun: "Last import",
  linked: "Objects",
  missingCount: "Missing",
  editOf: (name: string) => `Change the source ${name}`,
  change: "Change",
  deleteOf: (name: string) => `Delete the source ${name}`,
  deleteText: "Its objects stay. Which record they belong to is forgotten.",
  deleted: (name: string) => `The source ${name} was deleted.`,
  missingTitle: "Missing records",
  misses: (count: number, text: string) =>
    count === 1 ? "The file lacks 1 known record." : `The file lacks ${text} known records.`,
  wouldMiss: (count: number, text: string) =>
    count === 1
      ? "The file lacks 1 known record. This would happen to its object:"
      : `The file lacks ${text} known records. This would happen to their objects:`,
  record: "Record",
  object: "Object",
  reason: "Reason",
  onlyFirst: (text: string) => `These are the first ${text}.`,
};
