import type { Texts } from "../en";

export const sources: Texts["sources"] = {
  title: "Quellen",
  hint: "Gespeicherte Zuordnungen für Importe, die wiederkommen. Sie wissen, welches Objekt zu welchem Datensatz gehört.",
  empty: "Es gibt noch keine Quellen. Speichern Sie eine bei den Spalten eines Imports.",
  name: "Name",
  nameHint: "Etwa das System, aus dem die Datei kommt.",
  externalKey: "Woran ein Datensatz erkannt wird",
  externalKeyHint:
    "Spalten, deren Werte sich nie ändern, etwa eine Seriennummer. Objekte werden dann wiedergefunden, wie sie auch heißen. Ohne Auswahl wird nur die Zuordnung gespeichert.",
  missing: "Wenn Datensätze fehlen",
  policies: {
    keep: { label: "Nichts tun", text: "Die Objekte bleiben, wie sie sind." },
    flag: { label: "Vermerken", text: "Die Quelle vermerkt, seit wann ein Datensatz fehlt." },
    deactivate: {
      label: "Objekte deaktivieren",
      text: "Sie werden wieder aktiv, wenn ihre Datensätze zurückkehren.",
    },
    delete: {
      label: "Objekte löschen",
      text: "Objekte, auf die andere verweisen, bleiben. Rückgängig machen holt sie zurück.",
    },
  },
  limit: "Höchstens so viel Prozent auf einmal",
  limitHint: "Fehlen mehr, ist die Datei wohl unvollständig, und kein Objekt wird angerührt.",
  save: "Als Quelle speichern",
  saveHint: "Spalten, Schlüssel und Verhalten werden für die nächsten Dateien aufgehoben.",
  saveDo: "Speichern und alle Zeilen prüfen",
  saved: (name) => `Die Quelle ${name} wurde gespeichert.`,
  use: "Quelle verwenden",
  useHint: "Diese Quellen passen zu den Spalten der Datei.",
  checkWith: (name) => `Prüfen mit ${name}`,
  bound: (name) => `Nach der Quelle ${name}`,
  lastRun: "Letzter Import",
  linked: "Objekte",
  missingCount: "Fehlend",
  from: "Aus",
  lastSeen: (when) => `zuletzt gesehen ${when}`,
  missingSince: (when) => `fehlt seit ${when}`,
  editOf: (name) => `Quelle ${name} ändern`,
  change: "Ändern",
  deleteOf: (name) => `Quelle ${name} löschen`,
  deleteText: "Die Objekte bleiben. Zu welchem Datensatz sie gehören, wird vergessen.",
  deleted: (name) => `Die Quelle ${name} wurde gelöscht.`,
  missingTitle: "Fehlende Datensätze",
  misses: (count, text) =>
    count === 1
      ? "In der Datei fehlt 1 bekannter Datensatz."
      : `In der Datei fehlen ${text} bekannte Datensätze.`,
  wouldMiss: (count, text) =>
    count === 1
      ? "In der Datei fehlt 1 bekannter Datensatz. Mit seinem Objekt geschähe dies:"
      : `In der Datei fehlen ${text} bekannte Datensätze. Mit ihren Objekten geschähe dies:`,
  record: "Datensatz",
  object: "Objekt",
  reason: "Grund",
  onlyFirst: (text) => `Dies sind die ersten ${text}.`,
};
