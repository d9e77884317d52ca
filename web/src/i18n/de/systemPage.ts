import type { Texts } from "../en";

export const systemPage: Texts["systemPage"] = {
  hint: "Serverstatus und Sicherungen.",
  version: "Version",
  process: "Prozess",
  database: "Datenbank",
  health: {
    process: {
      well: "Läuft",
      ill: "Antwortet nicht",
      elsewhere: "Unter dieser Adresse nicht angezeigt",
    },
    database: {
      well: "Verbunden",
      ill: "Nicht verbunden",
      elsewhere: "Unter dieser Adresse nicht angezeigt",
    },
  },
  elsewhere:
    "Der Server stellt seine Metriken unter einer anderen Adresse bereit (--metrics-listen).",
  reference: "API-Referenz",
  guide: "Handbuch",
  ownSessions: "Ihre Sitzungen",
  allLogins: "Anmeldungen aller Benutzer",
  figures: {
    title: "Seit dem Start",
    requests: "Anfragen",
    failures: "Serverfehler",
    mean: "Durchschnittliche Antwortzeit",
    connections: "Verbindungen",
    memory: "Arbeitsspeicher",
    threads: "Threads",
    waitingReads: "Wartende Lesevorgänge",
    waitingWrites: "Wartende Schreibvorgänge",
    backupTime: "Letzte Sicherung",
    noBackup: "Keine",
    backupSize: "Größe der letzten Sicherung",
    backupFailures: "Fehlgeschlagene Sicherungen",
  },
  backup: "Sicherung",
  backupHint:
    "Führen Sie diese Befehle auf dem Serverrechner aus; der Server kann dabei weiterlaufen. Ersetzen Sie ./data durch sein Datenverzeichnis.",
  backupNow: "Jetzt sichern",
  backupToFile: "In eine Datei sichern",
  backupAsked: "Die Sicherung wurde gestartet. Die Werte oben zeigen, wann sie abgeschlossen ist.",
  check: "Datenbank prüfen",
  restore: "In ein leeres Verzeichnis wiederherstellen",
  scheduled: "Täglich automatisch sichern",
  copy: "Befehl kopieren",
};
