import type { Texts } from "../en";

export const dashboard: Texts["dashboard"] = {
  title: "Dashboard",
  edit: "Dashboard anpassen",
  widgets: "Widgets",
  kind: "Widget",
  add: "Widget hinzufügen",
  move: "Verschieben",
  remove: (name) => `${name} entfernen`,
  within: "Innerhalb von",
  days: (count) => `${count} Tagen`,
  none: "Keine Objekte.",
  gone: "Nicht verfügbar",
  goneHint:
    "Der Inhalt dieses Widgets wurde gelöscht, oder Sie sind nicht berechtigt, ihn zu sehen. Passen Sie das Dashboard an, um das Widget zu entfernen.",
  chartTitle: (type, field) => `${type} nach ${field}`,
  expiringTitle: (type, field, days) => `${type}: ${field} in den nächsten ${days} Tagen`,
  uncleanTitle: (type) => `${type}: zu bereinigende Objekte`,
  uncleanHint: "Objekte, die nicht ihrem Typ entsprechen.",
  kinds: {
    count: "Objektanzahl einer Ansicht",
    view: "Objekte einer Ansicht",
    chart: "Diagramm eines Feldes",
    expiring: "Anstehende Termine",
    unclean: "Zu bereinigende Objekte",
    recent: "Zuletzt geändert",
    types: "Alle Typen",
  },
};
