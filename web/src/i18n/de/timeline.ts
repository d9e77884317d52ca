import type { Texts } from "../en";

export const timeline: Texts["timeline"] = {
  whatChanged: "Änderungen",
  whatWas: "Anfangswerte",
  whatWasLast: "Letzte Werte",
  show: "Revision anzeigen",
  current: "Aktuell",
  shown: "Angezeigt",
  restore: "Revision wiederherstellen",
  restoreShort: "Wiederherstellen",
  restoreValue: (field, value) => `${field} wiederherstellen: ${value}`,
  noValue: "kein Wert",
  restored: (name, revision) => `${name} wurde auf Revision ${revision} zurückgesetzt.`,
  restoredField: (field, revision) => `${field} wurde auf Revision ${revision} zurückgesetzt.`,
  nothingToRestore: "Es wurde nichts geändert, weil das Objekt diese Werte bereits hat.",
  conflictTitle: "Spätere Änderungen würden verloren gehen",
  conflictText: "Diese Änderungen sind neuer als die Revision, die Sie wiederherstellen möchten.",
  force: "Trotzdem wiederherstellen",
  revertRequest: "Ganze Anfrage rückgängig machen",
  older: "Ältere Änderungen laden",

  asOf: "Stand anzeigen vom",
  showThen: "Stand anzeigen",
  future: "Wählen Sie einen Zeitpunkt in der Vergangenheit.",
  wasAt: (time) => `Stand vom ${time}`,
  wasRevision: (revision) => `Stand der Revision ${revision}`,
  previous: "Vorherige Änderung",
  next: "Nächste Änderung",
  backToNow: "Zurück zur aktuellen Version",
  notThen:
    "Das Objekt gab es zu diesem Zeitpunkt nicht, oder sein Verlauf reicht nicht so weit zurück.",

  deletedTitle: (name) => `${name} wurde gelöscht`,
  deletedBy: (name, time) => `Gelöscht von ${name}, ${time}.`,
  deletedHint:
    "Der Verlauf bleibt erhalten. Ein wiederhergestelltes Objekt behält seine ID und seine Verweise.",
  restoreObject: "Objekt wiederherstellen",
  broughtBack: (name) => `${name} wurde wiederhergestellt.`,

  deletedObjects: "Gelöschte Objekte",
  deletedObjectsHint:
    "Zuletzt gelöschte zuerst. Ein wiederhergestelltes Objekt behält seine ID, sodass Verweise darauf wieder gelten.",
  noneDeleted: "Keine gelöschten Objekte.",
  restoreNamed: (name) => `${name} wiederherstellen`,
};
