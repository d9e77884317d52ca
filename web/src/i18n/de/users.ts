import type { Texts } from "../en";

export const users: Texts["users"] = {
  hint: "Benutzer melden sich an und erhalten ihre Rechte von ihrer Gruppe.",
  newUser: "Neuer Benutzer",
  search: "Benutzer suchen",
  searchHint: "Name oder E-Mail",
  allStates: "Alle Status",
  allGroups: "Alle Gruppen",
  state: "Status",
  active: "Aktiv",
  inactive: "Inaktiv",
  you: "Sie",
  count: (_, text) => `${text} Benutzer`,
  empty: "Keine passenden Benutzer. Ändern Sie die Suche oder legen Sie einen Benutzer an.",
  name: "Name",
  firstName: "Vorname",
  lastName: "Nachname",
  email: "E-Mail",
  group: "Gruppe",
  groupOf: (id) => `Gruppe ${id}`,
  registered: (time) => `Registriert ${time}`,
  created: (name) => `Der Benutzer ${name} wurde angelegt.`,
  saved: (name) => `Der Benutzer ${name} wurde gespeichert.`,
  activate: "Benutzer aktivieren",
  deactivate: "Benutzer deaktivieren",
  activated: (name) => `${name} wurde aktiviert und kann sich wieder anmelden.`,
  deactivated: (name) => `${name} wurde deaktiviert und kann sich nicht mehr anmelden.`,
  service: "Dienstkonto",
  isService: "Dienstkonto: ein Programm, das API-Tokens statt eines Passworts verwendet",
  setPassword: "Passwort setzen",
  newPassword: "Neues Passwort",
  passwordHint: (least, good) =>
    least >= good ? `Mindestens ${least} Zeichen.` : `Mindestens ${good} Zeichen werden empfohlen.`,
  passwordEnds:
    "Alle Sitzungen des Benutzers werden beendet. Er meldet sich dann mit dem neuen Passwort an.",
  passwordSet: (name) => `Das Passwort von ${name} wurde geändert.`,
  delete: "Benutzer löschen",
  deleteText:
    "Der Benutzer kann sich nicht mehr anmelden. Seine Änderungen bleiben im Verlauf erhalten.",
  deleteInstead:
    "Um den Namen des Benutzers zu behalten, deaktivieren Sie den Benutzer stattdessen.",
  restoreHint:
    "„Rückgängig“ stellt den Benutzer ohne Passwort wieder her. Setzen Sie dann ein neues.",
  deleted: (name) => `Der Benutzer ${name} wurde gelöscht.`,
  history: "Verlauf",
  ownAccount: "Ihr eigenes Passwort ändern Sie in Ihrem Konto.",
  readOnly: "Sie sind nicht berechtigt, diesen Benutzer zu ändern.",
};
