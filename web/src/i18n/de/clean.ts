import type { Texts } from "../en";

export const clean: Texts["clean"] = {
  open: "Objekte bereinigen",
  title: (type) => `Objekte von ${type} bereinigen?`,
  unclean: (count, shown) =>
    count === 1
      ? "1 Objekt entspricht nicht diesem Typ."
      : `${shown} Objekte entsprechen nicht diesem Typ.`,
  found: (count, shown) =>
    count === 1
      ? "1 Objekt entspricht nicht seinem Typ. Es erhält genau die Felder des Typs."
      : `${shown} Objekte entsprechen nicht ihrem Typ. Sie erhalten genau die Felder des Typs.`,
  nothing: "Alle Objekte entsprechen ihrem Typ.",
  lookedAt: (count) => `Die Zahlen unten beziehen sich nur auf die ersten ${count} Objekte.`,
  removed: "Zu entfernende Felder",
  added: "Hinzuzufügende Felder",
  lost: (count, shown, example) =>
    count === 1 ? `1 mit dem Wert „${example}“` : `${shown} mit Werten wie „${example}“`,
  noUndo: (most) =>
    `Sie können dies nicht rückgängig machen: Das ist für höchstens ${most} Änderungen auf einmal möglich.`,
  run: "Objekte bereinigen",
  done: (count, shown) =>
    count === 1 ? "1 Objekt wurde bereinigt." : `${shown} Objekte wurden bereinigt.`,
};
