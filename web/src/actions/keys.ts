/** Keys as actions name them: "e", "g o", "mod+shift+z". `mod` is Ctrl, on a Mac Cmd. */

/** One stroke; nothing for a modifier alone. */
export function strokeOf(event: Stroke) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (["Control", "Meta", "Alt", "Shift"].includes(key)) return undefined;
  const hasMod = ctrlKey || metaKey;
  // Alone, Shift makes other signs, such as "?".
  const shift = hasMod && shiftKey ? "shift" : "";
  const parts = [hasMod ? "mod" : "", altKey ? "alt" : "", shift, key.toLowerCase()];
  return parts.filter(Boolean).join("+");
}

type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether strokes so far are an action's keys, or may become them. */
export function matchOf(keys: string, strokes: readonly string[]): "whole" | "part" | "none" {
  const typed = strokes.join(" ");
  if (keys === typed) return "whole";
  return keys.startsWith(`${typed} `) ? "part" : "none";
}

const STORED = "stockroom.single-keys";

/** Single keys disturb those who dictate, so they can be switched off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(STORED) !== "off";
}

export function setSingleKeys(isOn: boolean) {
  localStorage.setItem(STORED, isOn ? "on" : "off");
}

const EDITABLE = "input, textarea, select, [contenteditable], [role=textbox]";

/** Whether single keys are text here. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(EDITABLE) !== null;
}

/** Whether what has the focus undoes its own steps, as texts do. */
export function hasOwnUndo(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(OWN_UNDO) !== null;
}

const OWN_UNDO =
  "input:not([type=checkbox], [type=radio]), textarea, [contenteditable], [role=textbox]";

/** For people: "Ctrl K", "g then o". */
export function keysText(keys: string, isMac: boolean): string[] {
  return keys.split(" ").map((stroke) =>
    stroke
      .split("+")
      .map((part) => {
        if (part === "mod") return isMac ? "⌘" : "Ctrl";
        return part.length === 1 ? part.toUpperCase() : part[0]?.toUpperCase() + part.slice(1);
      })
      .join(" "),
  );
}
