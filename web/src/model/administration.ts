/** The screens of the administration, and who may open them. */
import type { RightName } from "~/api/records";
import type { Rights } from "./rights";

export type AdminScreen = "categories" | "users" | "groups" | "history" | "system";

/** Any of these rights opens the screen. */
const RIGHTS: Record<AdminScreen, readonly RightName[]> = {
  categories: [
    "base.framework.category.add",
    "base.framework.category.edit",
    "base.framework.category.delete",
  ],
  users: ["base.user-management.user.view"],
  groups: ["base.user-management.group.view"],
  history: ["base.framework.log.view"],
  system: ["base.system.view"],
};

export function mayOpen(screen: AdminScreen, rights: Rights): boolean {
  return RIGHTS[screen].some((right) => rights.has(right));
}

/** The screens that these rights open, in the order of the menu. */
export function openScreens(rights: Rights): AdminScreen[] {
  return (Object.keys(RIGHTS) as AdminScreen[]).filter((screen) => mayOpen(screen, rights));
}
