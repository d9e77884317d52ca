import type { Texts } from "../en";

export const admin: Texts["admin"] = {
  title: "Verwaltung",
  screens: {
    categories: "Kategorien",
    users: "Benutzer",
    groups: "Gruppen",
    history: "Protokoll",
    system: "System",
  },
  notAllowed:
    "Sie dürfen diese Seite nicht öffnen. Fragen Sie eine Administratorin nach dem Recht.",
  previousPage: "Vorige Seite",
  nextPage: "Nächste Seite",
  pageOf: (first, last, total) => `${first}–${last} von ${total}`,
  delete: "Löschen",
  deleteTitle: (name) => `${name} löschen?`,
  reload: "Neu laden",
  stale:
    "Jemand anders hat dies inzwischen geändert. Laden Sie neu; Ihre Eingaben hier gehen dann verloren.",
  effectsTitle: "Das geschieht:",
  noEffects: "Es ändert sich nichts.",
  effect: (action, count, resource) => `${count} ${resource} ${action}`,
  moreEffects: (count) => `insgesamt ${count} Änderungen`,
  dangling: (count, text) =>
    count === 1
      ? `${text} Verweis führt danach ins Leere`
      : `${text} Verweise führen danach ins Leere`,
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
