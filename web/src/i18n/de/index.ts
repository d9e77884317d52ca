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
  loading: "Wird geladen …",
  retry: "Erneut versuchen",
  none: "–",
  yes: "Ja",
  no: "Nein",

  logIn: "Anmelden",
  logInAgain:
    "Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren; Ihre Eingaben bleiben erhalten.",
  userName: "Benutzername",
  password: "Passwort",
  wrongLogin: "Falscher Benutzername oder falsches Passwort.",
  logOut: "Abmelden",
  loggedInAs: (name) => `Angemeldet als ${name}`,

  inventory: "Inventar",
  overview: "Übersicht",
  sections: "Abschnitte",
  allObjects: "Alle Objekte",
  withoutCategory: "Keine Kategorie",
  filterTree: "Kategorien und Typen filtern",
  noTreeMatch: "Keine passenden Kategorien oder Typen.",
  openMenu: "Menü öffnen",
  account: "Konto",
  sessions: "Sitzungen",
  appearance: "Darstellung",
  light: "Hell",
  dark: "Dunkel",
  system: "System",
  language: "Sprache",
  apiDocs: "API und Handbuch",

  objectsCount: (count, text) => (count === 1 ? `${text} Objekt` : `${text} Objekte`),
  recentlyChanged: "Zuletzt geändert",
  types: "Typen",

  contains: "enthält",
  is: "ist",
  addFilter: "Filter hinzufügen",
  removeFilter: (text) => `Filter entfernen: ${text}`,
  clearFilters: "Alle Filter entfernen",
  apply: "Anwenden",
  field: "Feld",
  value: "Wert",
  noObjects: "Noch keine Objekte.",
  noMatches: "Keine Objekte entsprechen diesen Filtern.",
  sortBy: (label) => `Nach ${label} sortieren`,
  objectNumber: "ID",
  type: "Typ",
  inactive: "Inaktiv",
  changed: "Geändert",
  rowHeight: "Zeilenhöhe",
  compact: "Kompakt",
  medium: "Mittel",
  roomy: "Komfortabel",
  copyCurl: "Als curl kopieren",
  copied: "Kopiert",

  references: "Verweise",
  history: "Verlauf",
  notReferenced: "Keine für Sie sichtbaren Objekte verweisen auf dieses.",
  shownOf: (shown, total) => `${shown} von ${total} angezeigt`,
  otherFields: "Weitere Felder",
  createdBy: (name) => `Angelegt von ${name}`,
  changedBy: (name) => `geändert von ${name}`,
  missingTarget: (id) => `Objekt ${id} (gelöscht oder nicht sichtbar)`,
  deletedTarget: (name) => `${name} (gelöscht)`,
  revision: (number) => `Revision ${number}`,
  unknownUser: "System",
  user: (id) => `Benutzer ${id}`,
  before: "Vorher",
  after: "Nachher",
  noHistory: "Es sind keine Änderungen aufgezeichnet.",
  actions: {
    insert: "angelegt",
    update: "geändert",
    state: "aktiviert oder deaktiviert",
    clean: "bereinigt",
    delete: "gelöscht",
    restore: "wiederhergestellt",
  },

  sessionsHint: "Jede Anmeldung startet eine Sitzung. Beenden Sie Sitzungen, die Sie nicht kennen.",
  thisSession: "Diese Sitzung",
  endSession: "Sitzung beenden",
  endOtherSessions: "Alle anderen Sitzungen beenden",
  since: "Angemeldet",
  expires: "Läuft ab",
  address: "Adresse",
  program: "Client",

  problemTitle: "Es ist ein Fehler aufgetreten",
  noConnection:
    "Der Server antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
  brokenScreen:
    "Diese Seite konnte nicht angezeigt werden. Laden Sie sie neu, oder melden Sie diesen Fehler:",
  reloadPage: "Seite neu laden",
  notFound:
    "Nicht gefunden. Möglicherweise wurde es gelöscht, oder Sie sind nicht berechtigt, es zu sehen.",
  requestId: (id) => `Anfrage ${id}`,
  showWholeText: (letters) => `Alle ${letters} Zeichen anzeigen`,
  goHome: "Zum Dashboard",
  close: "Schließen",
  cancel: "Abbrechen",
  undo: "Rückgängig",
  breadcrumbs: "Navigationspfad",
  undone: "Rückgängig gemacht.",
  redone: "Wiederholt.",
  undoLast: "Letzte Änderung rückgängig machen",
  redoLast: "Letzte Änderung wiederholen",
  undoConflict: "Nicht rückgängig gemacht: Jemand hat es seitdem geändert.",
  nothingToUndo: "Auf dieser Seite gibt es nichts rückgängig zu machen.",
  nothingToRedo: "Es gibt nichts zu wiederholen.",
  fieldSaved: (field) => `${field} wurde gespeichert.`,
  fieldConflict: (field, value) =>
    `Nicht gespeichert: Jemand anderes hat ${field} in „${value}“ geändert.`,

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
