import type { KeyboardEvent } from "react";
import { type Cell, moved } from "~/model/selection";

interface Props {
  active: Cell;
  size: { rows: number; columns: number; page: number };
  isEditing: boolean;
  move: (to: Cell, extends_: boolean) => void;
  edit: () => void;
  mark: (extends_: boolean) => void;
  fillDown: () => void;
  clear: () => void;
}

/** The keys of the grid's cells. */
export function useGridKeys(props: Props) {
  const { active, size, isEditing, move, edit, mark, fillDown, clear } = props;
  return (event: KeyboardEvent) => {
    const isCell = event.target instanceof Element && event.target.matches("[data-cell]");
    if (isEditing || !isCell) return;
    const withMod = event.ctrlKey || event.metaKey;
    const to = moved(active, event.key, withMod, size);
    if (to && !(withMod && event.key.length === 1)) move(to, event.shiftKey);
    else if (event.key === "Enter" && openLink(event.target as Element)) return;
    else if (event.key === "Enter" || event.key === "F2") edit();
    else if (event.key === " " || event.key === "x") mark(event.shiftKey);
    else if (withMod && event.key === "d") fillDown();
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  };
}

/** Enter in a cell that cannot be edited opens the object. */
function openLink(cell: Element): boolean {
  if (cell.getAttribute("aria-readonly") !== "true") return false;
  const link = cell.closest("[role=row]")?.querySelector("a");
  link?.click();
  return Boolean(link);
}
