/** What the screens of the administration share. */
export const admin = {
  title: "Administration",
  screens: {
    categories: "Categories",
    users: "Users",
    groups: "Groups",
    history: "Audit log",
    system: "System",
  },
  notAllowed: "You may not open this page. Ask an administrator for the right.",
  previousPage: "Previous page",
  nextPage: "Next page",
  pageOf: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  delete: "Delete",
  deleteTitle: (name: string) => `Delete ${name}?`,
  reload: "Reload",
  stale:
    "Somebody else changed this meanwhile. Reload to see it; what you typed here is then lost.",
  effectsTitle: "This happens:",
  noEffects: "Nothing changes.",
  effect: (action: string, count: string, resource: string) => `${count} ${resource} ${action}`,
  moreEffects: (count: string) => `${count} changes in all`,
  dangling: (count: number, text: string) =>
    count === 1
      ? `${text} reference is left without its object`
      : `${text} references are left without their objects`,
  resources: {
    object: (count: number) => (count === 1 ? "object" : "objects"),
    type: (count: number) => (count === 1 ? "type" : "types"),
    category: (count: number) => (count === 1 ? "category" : "categories"),
    user: (count: number) => (count === 1 ? "user" : "users"),
    group: (count: number) => (count === 1 ? "group" : "groups"),
    setting: (count: number) => (count === 1 ? "setting" : "settings"),
    view: (count: number) => (count === 1 ? "view" : "views"),
    source: (count: number) => (count === 1 ? "source" : "sources"),
  } as Record<string, (count: number) => string>,
};
