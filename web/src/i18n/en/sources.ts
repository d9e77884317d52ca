export const sources = {
  title: "Sources",
  hint: "Saved mappings for recurring imports. A source remembers which object belongs to which record.",
  empty: "No sources yet. Save one in the Columns step of an import.",
  name: "Name",
  nameHint: "For example, the system that the file comes from.",
  externalKey: "Columns that identify a record",
  externalKeyHint:
    "Columns whose values never change, such as a serial number. Objects are then recognized even if they are renamed. If nothing is selected, only the mapping is saved.",
  missing: "If records are missing from a file",
  policies: {
    keep: { label: "Do nothing", text: "The objects are not changed." },
    flag: {
      label: "Flag the records",
      text: "The source shows since when a record has been missing.",
    },
    deactivate: {
      label: "Deactivate the objects",
      text: "They are activated again when their records return.",
    },
    delete: {
      label: "Delete the objects",
      text: "Objects that others refer to are kept. Undoing the import restores deleted objects.",
    },
  },
  limit: "Limit (percent of the records)",
  limitHint: "If more are missing, the file is probably incomplete, and no object is changed.",
  save: "Save as source",
  saveHint: "The columns, the key and the policy are saved for later files.",
  saveDo: "Save and check all rows",
  saved: (name: string) => `Source ${name} was saved.`,
  use: "Use a source",
  useHint: "These sources match the columns of the file.",
  checkWith: (name: string) => `Check with ${name}`,
  bound: (name: string) => `Source: ${name}`,
  lastRun: "Last import",
  linked: "Objects",
  missingCount: "Missing",
  from: "Source:",
  lastSeen: (when: string) => `last seen ${when}`,
  missingSince: (when: string) => `missing since ${when}`,
  editOf: (name: string) => `Edit source ${name}`,
  change: "Save source",
  deleteOf: (name: string) => `Delete source ${name}`,
  delete: "Delete source",
  deleteText: "Its objects are kept, but which record they belong to is lost.",
  deleted: (name: string) => `Source ${name} was deleted.`,
  missingTitle: "Missing records",
  misses: (count: number, text: string) =>
    count === 1
      ? "1 known record is missing from the file."
      : `${text} known records are missing from the file.`,
  wouldMiss: (count: number, text: string) =>
    count === 1
      ? "1 known record is missing from the file. Effect on its object:"
      : `${text} known records are missing from the file. Effects on their objects:`,
  record: "Record",
  object: "Object",
  reason: "Reason",
  onlyFirst: (text: string) => `Only the first ${text} are shown.`,
};
