import type { Texts } from "../en";

export const clean: Texts["clean"] = {
  open: "Objekte bereinigen",
  title: (type) => `Objekte von ${type} bereinigen?`,
  unclean: (count, shown) =>
    count === 1
      ? "1 Objekt hat andere Felder als dieser Typ."
      : `${shown} Objekte haben andere Felder als dieser Typ.`,
  found: (count, shown) =>
    count === 1
      ? "1 Objekt hat andere Felder als sein Typ und erhält dessen Felder."
      : `${shown} Objekte haben andere Felder als ihr Typ und erhalten dessen Felder.`,
  nothing: "Alle Objekte haben die Felder ihres Typs.",
  lookedAt: (count) => `Die Zahlen unten sind die der ersten ${count} Objekte.`,
  removed: "Felder, die entfallen",
  added: "Felder, die hinzukommen",
  lost: (count, shown, example) =>
    count === 1 ? `1 mit dem Wert „${example}“` : `${shown} mit Werten wie „${example}“`,
  noUndo: (most) => `Mehr als ${most} Änderungen lassen sich nicht zusammen rückgängig machen.`,
  run: "Bereinigen",
  done: (count, shown) =>
    count === 1 ? "1 Objekt wurde bereinigt." : `${shown} Objekte wurden bereinigt.`,
};
