import type { Texts } from "../en";

export const object: Texts["object"] = {
  more: "Weitere Aktionen",
  delete: "Objekt löschen",
  deleted: (name) => `${name} wurde gelöscht.`,
  deleteTitle: (name) => `${name} löschen?`,
  referredTo: (count, shown) =>
    count === 1 ? "1 Objekt verweist darauf:" : `${shown} Objekte verweisen darauf:`,
  references: "Verweise auf dieses Objekt",
  keep: "Verweise behalten",
  keepText:
    "Sie zeigen an, dass ihr Objekt gelöscht wurde. Wird es wiederhergestellt, gelten sie wieder.",
  clear: "Verweise leeren",
  clearText:
    "Die Felder werden geleert. Sie müssen berechtigt sein, alle diese Objekte zu bearbeiten.",
  move: "Verweise auf ein anderes Objekt umstellen",
  moveText:
    "Die Felder verweisen auf das Objekt, das Sie auswählen. Sie müssen berechtigt sein, alle diese Objekte zu bearbeiten.",
  moveTooMany: (most) => `Höchstens ${most} Objekte können auf einmal geändert werden.`,
  moveTarget: "Anderes Objekt",
  moveSelf: "Dieses Objekt wird gelöscht. Wählen Sie ein anderes aus.",
  activate: "Objekt aktivieren",
  deactivate: "Objekt deaktivieren",
  activated: (name) => `${name} wurde aktiviert.`,
  deactivated: (name) => `${name} wurde deaktiviert.`,
  previous: "Vorheriges Objekt",
  next: "Nächstes Objekt",
  noMore: "Es gibt keine weiteren Objekte dieses Typs.",
  graph: "Graph",
  api: "API",
  graphHint: "Links: Objekte, die auf dieses verweisen. Rechts: Objekte, auf die es verweist.",
  graphHidden: (count) => `${count} weitere werden nicht angezeigt.`,
  expand: (name) => `Nachbarn von ${name} anzeigen`,
  command: "Abfrage mit curl",
  copyText: "Kopieren",
  pointsTo: "Verweist auf",
  pointsToNothing: "Dieses Objekt verweist auf keine anderen Objekte.",
  usedBy: "Verweise von",
  moreReferrers: (type, count) => `Mehr anzeigen: ${type} (${count})`,
};
