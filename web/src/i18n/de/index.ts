import type { Texts } from "../en";
import { accountPage } from "./accountPage";
import { admin } from "./admin";
import { auditLog } from "./auditLog";
import { categories } from "./categories";
import { clean } from "./clean";
import { dashboard } from "./dashboard";
import { designer } from "./designer";
import { filter } from "./filter";
import { form } from "./form";
import { groups } from "./groups";
import { imports } from "./imports";
import { labels } from "./labels";
import { object } from "./object";
import { palette } from "./palette";
import { search } from "./search";
import { sources } from "./sources";
import { systemPage } from "./systemPage";
import { table } from "./table";
import { timeline } from "./timeline";
import { tokens } from "./tokens";
import { users } from "./users";

export const de: Texts = {
  appName: "Stockroom",
  skipToContent: "Zum Inhalt springen",
  loading: "Lädt …",
  retry: "Erneut versuchen",
  none: "–",
  yes: "Ja",
  no: "Nein",

  logIn: "Anmelden",
  logInAgain: "Ihre Sitzung ist beendet. Melden Sie sich an; Ihre Eingaben bleiben erhalten.",
  userName: "Benutzername",
  password: "Passwort",
  wrongLogin: "Benutzername oder Passwort ist falsch.",
  logOut: "Abmelden",
  loggedInAs: (name) => `Angemeldet als ${name}`,

  inventory: "Inventar",
  overview: "Übersicht",
  sections: "Abschnitte",
  allObjects: "Alle Objekte",
  withoutCategory: "Ohne Kategorie",
  filterTree: "Kategorien und Typen filtern",
  noTreeMatch: "Keine Kategorie und kein Typ heißt so.",
  openMenu: "Menü öffnen",
  account: "Konto",
  sessions: "Sitzungen",
  appearance: "Darstellung",
  light: "Hell",
  dark: "Dunkel",
  system: "Wie das System",
  language: "Sprache",
  apiDocs: "API und Handbuch",

  objectsCount: (count, text) => (count === 1 ? `${text} Objekt` : `${text} Objekte`),
  recentlyChanged: "Zuletzt geändert",
  types: "Typen",

  contains: "enthält",
  is: "ist",
  addFilter: "Filter hinzufügen",
  removeFilter: (text) => `Filter ${text} entfernen`,
  clearFilters: "Alle Filter entfernen",
  apply: "Anwenden",
  field: "Feld",
  value: "Wert",
  noObjects: "Noch keine Objekte.",
  noMatches: "Kein Objekt passt zu diesen Filtern.",
  sortBy: (label) => `Nach ${label} sortieren`,
  objectNumber: "Nr.",
  type: "Typ",
  inactive: "Inaktiv",
  changed: "Geändert",
  rowHeight: "Zeilenhöhe",
  compact: "Klein",
  medium: "Mittel",
  roomy: "Groß",
  copyCurl: "Als curl kopieren",
  copied: "Kopiert",

  references: "Verweise",
  history: "Verlauf",
  notReferenced: "Kein sichtbares Objekt verweist auf dieses.",
  shownOf: (shown, total) => `${shown} von ${total} angezeigt`,
  otherFields: "Weitere Felder",
  createdBy: (name) => `Angelegt von ${name}`,
  changedBy: (name) => `geändert von ${name}`,
  missingTarget: (id) => `Objekt ${id} (gelöscht oder nicht sichtbar)`,
  deletedTarget: (name) => `${name} (gelöscht)`,
  revision: (number) => `Revision ${number}`,
  unknownUser: "Dienst",
  user: (id) => `Benutzer ${id}`,
  before: "Vorher",
  after: "Nachher",
  noHistory: "Es ist keine Änderung aufgezeichnet.",
  actions: {
    insert: "angelegt",
    update: "geändert",
    state: "umgeschaltet",
    clean: "bereinigt",
    delete: "gelöscht",
    restore: "wiederhergestellt",
  },

  sessionsHint: "Jede Anmeldung ist eine Sitzung. Beenden Sie, was Sie nicht kennen.",
  thisSession: "Diese Sitzung",
  endSession: "Beenden",
  endOtherSessions: "Alle anderen beenden",
  since: "Seit",
  expires: "Endet",
  address: "Adresse",
  program: "Browser oder Programm",

  problemTitle: "Das hat nicht geklappt",
  noConnection:
    "Der Server antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
  notFound: "Unter dieser Adresse gibt es nichts.",
  requestId: (id) => `Anfrage ${id}`,
  goHome: "Zur Übersicht",
  close: "Schließen",
  cancel: "Abbrechen",
  undo: "Rückgängig",
  breadcrumbs: "Wo dies steht",
  undone: "Rückgängig gemacht.",
  redone: "Wieder gemacht.",
  undoLast: "Letzte Änderung rückgängig machen",
  redoLast: "Wieder machen",
  nothingToUndo: "Auf dieser Seite gibt es nichts rückgängig zu machen.",
  nothingToRedo: "Es gibt nichts, was wieder zu machen wäre.",
  fieldSaved: (field) => `${field} wurde gespeichert.`,
  fieldConflict: (field, value) => `Jemand anders hat ${field} inzwischen auf „${value}“ geändert.`,

  accountPage,
  admin,
  auditLog,
  categories,
  clean,
  dashboard,
  designer,
  filter,
  form,
  groups,
  imports,
  sources,
  labels,
  object,
  palette,
  search,
  systemPage,
  table,
  timeline,
  tokens,
  users,
};
