import type { KeyboardEvent } from "react";
import { type Cell, moved } from "~/model/cellRange";

interface Props {
  active: Cell;
  size: { rows: number; columns: number; page: number };
  isEditing: boolean;
  move: (to: Cell, extends_: boolean) => void;
  /** Begins with the text that was typed, or with the value. */
  edit: (typed?: string) => void;
  /** Takes the value out of the cell. */
  empty: () => void;
  select: (extends_: boolean) => void;
  fillDown: () => void;
  clear: () => void;
}

/** The keys of the grid's cells. */
export function useGridKeys(props: Props) {
  const { active, size, isEditing, move, edit, empty, select, fillDown, clear } = props;
  return (event: KeyboardEvent) => {
    const cell = event.target;
    if (isEditing || !(cell instanceof Element) || !cell.matches("[data-cell]")) return;
    const withMod = event.ctrlKey || event.metaKey || event.altKey;
    const canEdit = cell.getAttribute("aria-readonly") === "false";
    const isLetter = event.key.length === 1 && !withMod && event.key !== " ";
    const to = moved(active, event.key, withMod, size);
    if (to && !(withMod && event.key.length === 1)) move(to, event.shiftKey);
    else if (event.key === "Enter" && openLink(cell)) return;
    else if (canEdit && (event.key === "Enter" || event.key === "F2")) edit();
    // What is typed on a cell is meant for it, and never a key of the page.
    else if (canEdit && isLetter) edit(event.key);
    else if (canEdit && (event.key === "Delete" || event.key === "Backspace")) empty();
    else if (event.key === " " || event.key === "x") select(event.shiftKey);
    else if (withMod && event.key === "d") fillDown();
    else if (event.key === "Escape") clear();
    // The object of a row without a link was deleted: what is typed there is no key of the page.
    else if (!isLetter || linkOf(cell)) return;
    event.preventDefault();
  };
}

/** Enter in a cell that cannot be edited opens the object. */
function openLink(cell: Element): boolean {
  if (cell.getAttribute("aria-readonly") !== "true") return false;
  const link = linkOf(cell);
  link?.click();
  return link !== undefined;
}

/** Leads to the object of a row. */
function linkOf(cell: Element): HTMLAnchorElement | undefined {
  return cell.closest("[role=row]")?.querySelector("a") ?? undefined;
}
