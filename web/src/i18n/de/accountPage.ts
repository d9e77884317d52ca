import type { Texts } from "../en";

export const accountPage: Texts["accountPage"] = {
  title: "Ihr Konto",
  data: "Profil",
  changePassword: "Passwort ändern",
  oldPassword: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  passwordHint: "Eine Änderung des Passworts beendet alle anderen Sitzungen.",
  passwordChanged: "Ihr Passwort wurde geändert. Alle anderen Sitzungen wurden beendet.",
  saved: "Ihr Profil wurde gespeichert.",
  group: (name) => `Gruppe ${name}`,
  sessions: "Sitzungen",
  settings: "Anwendungseinstellungen",
  settingsHint:
    "Anwendungen speichern diese Einstellungen für Sie. Ohne sie gelten ihre Standardwerte.",
  noSettings: "Keine Anwendung hat Einstellungen für Sie gespeichert.",
  setting: "Einstellung",
  kind: "Bereich",
  content: "Wert",
  deleteSetting: (name) => `Einstellung ${name} löschen`,
  settingDeleted: (name) => `Die Einstellung ${name} wurde gelöscht.`,
  delete: "Einstellung löschen",
  deleteText: "Die Anwendung, die sie gespeichert hat, verwendet wieder ihren Standardwert.",
};
