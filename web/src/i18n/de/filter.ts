import type { Texts } from "../en";

export const filter: Texts["filter"] = {
  edit: "Erweiterter Filter",
  title: (count) => `Erweiterter Filter (${count})`,
  dialog: "Erweiterter Filter",
  builder: "Bedingungen",
  json: "JSON",
  match: "Verknüpfung der Bedingungen",
  matches: {
    all: "Alle treffen zu",
    any: "Mindestens eine trifft zu",
    none: "Keine trifft zu",
  },
  addCondition: "Bedingung hinzufügen",
  addGroup: "Gruppe hinzufügen",
  condition: (number) => `Bedingung ${number}`,
  duplicate: (what) => `${what} duplizieren`,
  remove: (what) => `${what} entfernen`,
  part: (number) => `Teil ${number}`,
  raw: "Dieser Teil lässt sich nur als JSON bearbeiten. Er wird unverändert angewendet:",
  empty: "Noch keine Bedingungen. Fügen Sie eine Bedingung hinzu.",
  faults: {
    incomplete: "Geben Sie für jede Bedingung einen Wert ein.",
    "too-many":
      "Ein Filter kann höchstens 100 Bedingungen und Gruppen enthalten. Entfernen Sie einige.",
    "too-many-patterns":
      "Höchstens 16 Bedingungen können „enthält“ verwenden. Verwenden Sie stattdessen „ist eines von“.",
  },
  chooseValues: "Fügen Sie mindestens einen Wert hinzu.",
  onePerLine: "Ein Wert pro Zeile.",
  pasteKeys: "Sie können mehrere einfügen: IDs oder Werte des ersten Felds der Zusammenfassung.",
  missingKeys: (keys) => `Nicht gefunden: ${keys}`,
  unknownField: (path) => `${path} (keine Spalte dieser Tabelle)`,
  jsonHint:
    "MongoDB-Abfragesyntax für das gespeicherte Objekt. Der Typ der Tabelle wird automatisch ergänzt.",
};
