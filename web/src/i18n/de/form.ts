import type { Texts } from "../en";

export const form: Texts["form"] = {
  newObject: (type) => `Neu: ${type}`,
  editObject: (name) => `${name} bearbeiten`,
  copyObject: (name) => `Kopie von ${name}`,
  create: "Neues Objekt",
  edit: "Bearbeiten",
  copy: "Duplizieren",
  save: "Speichern",
  saveAndNext: "Speichern und neu",
  saving: "Wird gespeichert …",
  created: (name) => `${name} wurde angelegt.`,
  saved: (name) => `${name} wurde gespeichert.`,
  unchanged: "Es wurde nichts geändert.",
  keepForNext: (field) => `${field} für das nächste Objekt behalten`,
  faults: (count) =>
    count === 1
      ? "Nicht gespeichert. Korrigieren Sie 1 Feld."
      : `Nicht gespeichert. Korrigieren Sie ${count} Felder.`,
  showHolder: "Objekt mit diesem Wert anzeigen",
  required: "erforderlich",
  nothing: "Kein Wert",
  search: "Suchen …",
  noCandidates: "Keine passenden Objekte.",
  createRelated: "Objekt anlegen",
  leaveTitle: "Änderungen verwerfen?",
  leaveText: "Ihre Änderungen auf dieser Seite sind nicht gespeichert.",
  leave: "Änderungen verwerfen",
  stay: "Weiter bearbeiten",
  conflict: "Jemand anderes hat dies geändert in:",
  notANumber: "Geben Sie eine Zahl ein, zum Beispiel 12,5.",
  typeChanged:
    "Jemand hat inzwischen den Typ geändert. Diese Felder gibt es nicht mehr; kopieren Sie, was Sie noch brauchen:",
  conflictTitle:
    "Nicht gespeichert: Jemand anderes hat dieses Objekt inzwischen geändert. Wählen Sie für jedes hervorgehobene Feld einen Wert.",
  keepMine: "Eigenen Wert behalten",
  takeTheirs: "Anderen Wert übernehmen",
  notAllowed: "Sie sind nicht berechtigt, Objekte dieses Typs zu speichern.",
};
