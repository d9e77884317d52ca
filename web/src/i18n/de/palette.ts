import type { Texts } from "../en";

export const palette: Texts["palette"] = {
  title: "Suche und Befehle",
  search: "Suchen",
  hint: "Alles suchen: ein Name, ein Teil einer Seriennummer, type:server",
  shortHint: "Suchen oder Befehl ausführen",
  actions: "Befehle",
  recent: "Zuletzt geöffnet",
  found: "Gefunden",
  narrow: "Nur in",
  kinds: {
    object: "Objekt",
    type: "Typ",
    category: "Kategorie",
    user: "Benutzer",
    group: "Gruppe",
  },
  all: (count: string, isMore: boolean) => `Alle ${count}${isMore ? " oder mehr" : ""} Ergebnisse`,
  nothing: "Nichts gefunden.",
  keys: "Tasten",
  singleKeys: "Einzelne Tasten sind Befehle",
  goHome: "Zur Übersicht",
  goObjects: "Zu allen Objekten",
  goTypes: "Zu den Typen",
  gridKeys: [
    { label: "Zwischen Zellen wechseln", keys: "←↑→↓" },
    { label: "Zelle bearbeiten, Zelle speichern", keys: "Enter" },
    { label: "Zeile markieren", keys: "x" },
    { label: "Erste Zeile nach unten füllen", keys: "mod+d" },
    { label: "Zellen kopieren, Zellen einfügen", keys: "mod+c mod+v" },
  ],
};
