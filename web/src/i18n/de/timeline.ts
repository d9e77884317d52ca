import type { Texts } from "../en";

export const timeline: Texts["timeline"] = {
  whatChanged: "Was sich änderte",
  whatWas: "Womit es begann",
  whatWasLast: "Was es zuletzt war",
  show: "Diese Revision zeigen",
  current: "Aktuell",
  shown: "Angezeigt",
  restore: "Diese Revision wiederherstellen",
  restoreShort: "Wiederherstellen",
  restoreValue: (field, value) => `${field} wiederherstellen: ${value}`,
  noValue: "kein Wert",
  restored: (name, revision) => `${name} ist wieder wie in Revision ${revision}.`,
  restoredField: (field, revision) => `${field} ist wieder wie in Revision ${revision}.`,
  nothingToRestore: "Nichts unterscheidet sich vom jetzigen Stand; es wurde nichts geändert.",
  conflictTitle: "Diese späteren Änderungen gingen verloren",
  conflictText: "Sie geschahen nach dem Stand, den Sie wiederherstellen.",
  force: "Trotzdem wiederherstellen",
  revertRequest: "Ganze Anfrage rückgängig machen",
  older: "Ältere Änderungen laden",

  asOf: "Zeigen, wie es war am",
  showThen: "Zeigen",
  future: "Wählen Sie einen Zeitpunkt in der Vergangenheit.",
  wasAt: (time) => `Stand vom ${time}`,
  wasRevision: (revision) => `Stand der Revision ${revision}`,
  previous: "Vorherige Änderung",
  next: "Nächste Änderung",
  backToNow: "Zurück zu jetzt",
  notThen: "Das Objekt gab es damals nicht, oder sein Stand ist nicht mehr bekannt.",

  deletedTitle: (name) => `${name} wurde gelöscht`,
  deletedBy: (name, time) => `Gelöscht von ${name}, ${time}.`,
  deletedHint:
    "Der Verlauf bleibt. Ein wiederhergestelltes Objekt hat dieselbe Nummer und seine Verweise.",
  restoreObject: "Objekt wiederherstellen",
  broughtBack: (name) => `${name} ist wieder da.`,

  deletedObjects: "Gelöschte Objekte",
  deletedObjectsHint:
    "Das zuletzt gelöschte zuerst. Ein wiederhergestelltes Objekt hat dieselbe Nummer, sodass Verweise darauf wieder gelten.",
  noneDeleted: "Kein Objekt wurde gelöscht, oder alle sind wieder da.",
  restoreNamed: (name) => `${name} wiederherstellen`,
};
