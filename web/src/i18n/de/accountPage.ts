import type { Texts } from "../en";

export const accountPage: Texts["accountPage"] = {
  title: "Ihr Konto",
  data: "Ihre Daten",
  changePassword: "Passwort ändern",
  oldPassword: "Jetziges Passwort",
  newPassword: "Neues Passwort",
  passwordHint: "Alle anderen Sitzungen enden.",
  passwordChanged: "Ihr Passwort wurde geändert. Andere Sitzungen sind beendet.",
  saved: "Ihre Daten wurden gespeichert.",
  group: (name) => `Gruppe ${name}`,
  sessions: "Sitzungen",
  settings: "Einstellungen von Programmen",
  settingsHint: "Programme merken sich dies für Sie. Ohne Einstellung beginnt ein Programm neu.",
  noSettings: "Kein Programm merkt sich eine Einstellung für Sie.",
  setting: "Einstellung",
  kind: "Bereich",
  content: "Inhalt",
  deleteSetting: (name) => `${name} löschen`,
  settingDeleted: (name) => `Einstellung ${name} wurde gelöscht.`,
  deleteText: "Das Programm, das sie schrieb, beginnt neu.",
};
