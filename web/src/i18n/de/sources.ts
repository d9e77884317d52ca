import type { Texts } from "../en";

export const sources: Texts["sources"] = {
  title: "Quellen",
  hint: "Gespeicherte Zuordnungen für wiederkehrende Importe. Eine Quelle merkt sich, welches Objekt zu welchem Datensatz gehört.",
  empty: "Noch keine Quellen. Speichern Sie eine im Schritt „Spalten“ eines Imports.",
  name: "Name",
  nameHint: "Zum Beispiel das System, aus dem die Datei stammt.",
  externalKey: "Spalten, die einen Datensatz identifizieren",
  externalKeyHint:
    "Spalten, deren Werte sich nie ändern, zum Beispiel eine Seriennummer. Objekte werden dann auch nach einer Umbenennung erkannt. Ohne Auswahl wird nur die Zuordnung gespeichert.",
  missing: "Wenn Datensätze in einer Datei fehlen",
  policies: {
    keep: { label: "Nichts tun", text: "Die Objekte werden nicht geändert." },
    flag: {
      label: "Datensätze kennzeichnen",
      text: "Die Quelle zeigt, seit wann ein Datensatz fehlt.",
    },
    deactivate: {
      label: "Objekte deaktivieren",
      text: "Sie werden wieder aktiviert, sobald ihre Datensätze wieder vorhanden sind.",
    },
    delete: {
      label: "Objekte löschen",
      text: "Objekte, auf die andere verweisen, bleiben erhalten. Wird der Import rückgängig gemacht, werden gelöschte Objekte wiederhergestellt.",
    },
  },
  limit: "Grenzwert (Prozent der Datensätze)",
  limitHint: "Fehlen mehr, ist die Datei vermutlich unvollständig, und kein Objekt wird geändert.",
  save: "Als Quelle speichern",
  saveHint: "Spalten, Schlüssel und Verhalten werden für spätere Dateien gespeichert.",
  saveDo: "Speichern und alle Zeilen prüfen",
  saved: (name) => `Die Quelle ${name} wurde gespeichert.`,
  use: "Quelle verwenden",
  useHint: "Diese Quellen passen zu den Spalten der Datei.",
  checkWith: (name) => `Mit ${name} prüfen`,
  bound: (name) => `Quelle: ${name}`,
  lastRun: "Letzter Import",
  linked: "Objekte",
  missingCount: "Fehlend",
  from: "Quelle:",
  lastSeen: (when) => `zuletzt gesehen ${when}`,
  missingSince: (when) => `fehlt seit ${when}`,
  editOf: (name) => `Quelle ${name} bearbeiten`,
  change: "Quelle speichern",
  deleteOf: (name) => `Quelle ${name} löschen`,
  delete: "Quelle löschen",
  deleteText: "Die Objekte bleiben erhalten, aber ihre Zuordnung zu Datensätzen geht verloren.",
  deleted: (name) => `Die Quelle ${name} wurde gelöscht.`,
  missingTitle: "Fehlende Datensätze",
  misses: (count, text) =>
    count === 1
      ? "In der Datei fehlt 1 bekannter Datensatz."
      : `In der Datei fehlen ${text} bekannte Datensätze.`,
  wouldMiss: (count, text) =>
    count === 1
      ? "In der Datei fehlt 1 bekannter Datensatz. Auswirkung auf sein Objekt:"
      : `In der Datei fehlen ${text} bekannte Datensätze. Auswirkungen auf ihre Objekte:`,
  record: "Datensatz",
  object: "Objekt",
  reason: "Grund",
  onlyFirst: (text) => `Nur die ersten ${text} werden angezeigt.`,
};
