import type { Texts } from "../en";

export const filter: Texts["filter"] = {
  edit: "Filter bauen",
  title: (count) => `Filter mit Gruppen (${count})`,
  dialog: "Filter",
  builder: "Gruppen",
  json: "JSON",
  match: "Wie viele davon zutreffen müssen",
  matches: { all: "Alle davon", any: "Eine davon", none: "Keine davon" },
  addCondition: "Bedingung hinzufügen",
  addGroup: "Gruppe hinzufügen",
  condition: (number) => `Bedingung ${number}`,
  duplicate: (what) => `${what} verdoppeln`,
  remove: (what) => `${what} entfernen`,
  part: (number) => `Teil ${number}`,
  raw: "Diesen Teil kann der Filterbau nicht zeigen. Er bleibt JSON und gilt, wie er ist:",
  empty: "Noch wird nach nichts gefragt. Fügen Sie eine Bedingung hinzu.",
  faults: {
    incomplete: "Geben Sie jeder Bedingung einen Wert.",
    "too-many": "Ein Filter hat höchstens 100 Bedingungen und Gruppen. Entfernen Sie einige.",
    "too-many-patterns":
      "Höchstens 16 Bedingungen dürfen „enthält“ fragen. Nehmen Sie „ist eines von“.",
  },
  chooseValues: "Fügen Sie mindestens einen Wert hinzu.",
  onePerLine: "Ein Wert je Zeile.",
  pasteKeys:
    "Mehrere können eingefügt werden: IDs oder Werte des ersten Felds der Zusammenfassung.",
  missingKeys: (keys) => `Nichts gefunden für: ${keys}`,
  unknownField: (path) => `${path} (hier keine Spalte)`,
  jsonHint:
    "MongoDBs Abfragesprache über das gespeicherte Objekt. Der Typ der Tabelle kommt hinzu.",
};
