import type { Texts } from "../en";

export const object: Texts["object"] = {
  more: "Weitere Aktionen",
  delete: "Löschen",
  deleted: (name) => `${name} wurde gelöscht.`,
  deleteTitle: (name) => `${name} löschen?`,
  referredTo: (count, shown) =>
    count === 1 ? "1 Objekt verweist darauf:" : `${shown} Objekte verweisen darauf:`,
  references: "Verweise darauf",
  keep: "Behalten",
  keepText:
    "Sie bleiben und zeigen, dass ihr Objekt fehlt. Wird es wiederhergestellt, gelten sie wieder.",
  clear: "Leeren",
  clearText: "Die Felder werden leer. Dazu müssen Sie alle diese Objekte bearbeiten dürfen.",
  activate: "Aktivieren",
  deactivate: "Deaktivieren",
  activated: (name) => `${name} ist wieder aktiv.`,
  deactivated: (name) => `${name} ist jetzt inaktiv.`,
  previous: "Vorheriges Objekt",
  next: "Nächstes Objekt",
  noMore: "Es gibt kein weiteres Objekt dieses Typs.",
  graph: "Graph",
  api: "API",
  graphHint: "Links: was auf dieses Objekt verweist. Rechts: worauf es verweist.",
  graphHidden: (count) => `${count} weitere sind nicht gezeichnet.`,
  expand: (name) => `Nachbarn von ${name} zeigen`,
  command: "Auf der Kommandozeile lesen",
  copyText: "Kopieren",
  pointsTo: "Verweist auf",
  pointsToNothing: "Kein Verweisfeld dieses Objekts hat einen Wert.",
  usedBy: "Verwendet von",
  moreReferrers: (type, count) => `Mehr zeigen: ${type} (${count})`,
};
