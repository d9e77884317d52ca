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
  notAllowed: "You do not have permission to open this page. Ask an administrator for access.",
  previousPage: "Previous page",
  nextPage: "Next page",
  pageOf: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  delete: "Delete",
  deleteTitle: (name: string) => `Delete ${name}?`,
  reload: "Reload",
  stale:
    "Not saved: someone else changed this in the meantime. Reload to see the current version; your input on this page is then lost.",
  effectsTitle: "This will change:",
  noEffects: "Nothing will change.",
  effect: (action: string, count: string, resource: string) => `${count} ${resource} ${action}`,
  moreEffects: (count: string) => `${count} changes in total`,
  dangling: (count: number, text: string) =>
    count === 1
      ? `${text} reference will point to a deleted object`
      : `${text} references will point to deleted objects`,
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
