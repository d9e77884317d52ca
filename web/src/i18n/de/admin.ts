import type { Texts } from "../en";

export const admin: Texts["admin"] = {
  title: "Verwaltung",
  screens: {
    categories: "Kategorien",
    users: "Benutzer",
    groups: "Gruppen",
    history: "Audit-Log",
    system: "System",
  },
  notAllowed:
    "Sie sind nicht berechtigt, diese Seite zu öffnen. Bitten Sie die Administration um Zugriff.",
  previousPage: "Vorherige Seite",
  nextPage: "Nächste Seite",
  pageOf: (first, last, total) => `${first}–${last} von ${total}`,
  delete: "Löschen",
  deleteTitle: (name) => `${name} löschen?`,
  reload: "Neu laden",
  stale:
    "Nicht gespeichert: Jemand anderes hat dies inzwischen geändert. Laden Sie neu, um die aktuelle Version zu sehen; Ihre Eingaben auf dieser Seite gehen dann verloren.",
  effectsTitle: "Das wird geändert:",
  noEffects: "Es wird nichts geändert.",
  effect: (action, count, resource) => `${count} ${resource} ${action}`,
  moreEffects: (count) => `${count} Änderungen insgesamt`,
  dangling: (count, text) =>
    count === 1
      ? `${text} Verweis zeigt danach auf ein gelöschtes Objekt`
      : `${text} Verweise zeigen danach auf gelöschte Objekte`,
  resources: {
    object: (count) => (count === 1 ? "Objekt" : "Objekte"),
    type: (count) => (count === 1 ? "Typ" : "Typen"),
    category: (count) => (count === 1 ? "Kategorie" : "Kategorien"),
    user: () => "Benutzer",
    group: (count) => (count === 1 ? "Gruppe" : "Gruppen"),
    setting: (count) => (count === 1 ? "Einstellung" : "Einstellungen"),
    view: (count) => (count === 1 ? "Ansicht" : "Ansichten"),
    source: (count) => (count === 1 ? "Quelle" : "Quellen"),
  },
};
