import type { Texts } from "../en";

export const dashboard: Texts["dashboard"] = {
  edit: "Übersicht einrichten",
  widgets: "Kacheln",
  kind: "Kachel",
  add: "Kachel hinzufügen",
  move: "Verschieben",
  remove: (name) => `${name} entfernen`,
  within: "Innerhalb von",
  days: (count) => `${count} Tagen`,
  none: "Keine.",
  gone: "Nicht mehr da",
  goneHint:
    "Was diese Kachel zeigt, wurde gelöscht, oder Sie dürfen es nicht sehen. Richten Sie die Übersicht ein, um sie zu entfernen.",
  chartTitle: (type, field) => `${type} nach ${field}`,
  expiringTitle: (type, field, days) => `${type}: ${field} in den nächsten ${days} Tagen`,
  uncleanTitle: (type) => `${type}: zu bereinigen`,
  uncleanHint: "Objekte, deren Felder von denen ihres Typs abweichen.",
  kinds: {
    count: "Anzahl einer Ansicht",
    view: "Objekte einer Ansicht",
    chart: "Diagramm eines Feldes",
    expiring: "Bald fällige Daten",
    unclean: "Zu bereinigende Objekte",
    recent: "Zuletzt geändert",
    types: "Alle Typen",
  },
};
