import { accountPage } from "./accountPage";
import { admin } from "./admin";
import { auditLog } from "./auditLog";
import { categories } from "./categories";
import { clean } from "./clean";
import { dashboard } from "./dashboard";
import { designer } from "./designer";
import { filter } from "./filter";
import { form } from "./form";
import { groups } from "./groups";
import { imports } from "./imports";
import { labels } from "./labels";
import { object } from "./object";
import { palette } from "./palette";
import { search } from "./search";
import { sources } from "./sources";
import { systemPage } from "./systemPage";
import { table } from "./table";
import { timeline } from "./timeline";
import { tokens } from "./tokens";
import { users } from "./users";

/** The texts in English; their keys are those of every language. */
export const en = {
  appName: "Stockroom",
  skipToContent: "Skip to content",
  loading: "Loading…",
  retry: "Try again",
  none: "–",
  yes: "Yes",
  no: "No",

  logIn: "Log in",
  logInAgain: "Your session has ended. Log in to continue; your input is kept.",
  userName: "User name",
  password: "Password",
  wrongLogin: "Incorrect user name or password.",
  logOut: "Log out",
  loggedInAs: (name: string) => `Logged in as ${name}`,

  inventory: "Inventory",
  overview: "Overview",
  sections: "Sections",
  allObjects: "All objects",
  withoutCategory: "No category",
  filterTree: "Filter categories and types",
  noTreeMatch: "No matching categories or types.",
  openMenu: "Open menu",
  account: "Account",
  sessions: "Sessions",
  appearance: "Appearance",
  light: "Light",
  dark: "Dark",
  system: "System",
  language: "Language",
  apiDocs: "API and guide",

  objectsCount: (count: number, text: string) =>
    count === 1 ? `${text} object` : `${text} objects`,
  recentlyChanged: "Recently changed",
  types: "Types",

  contains: "contains",
  is: "is",
  addFilter: "Add filter",
  removeFilter: (text: string) => `Remove filter: ${text}`,
  clearFilters: "Clear all filters",
  apply: "Apply",
  field: "Field",
  value: "Value",
  noObjects: "No objects yet.",
  noMatches: "No objects match these filters.",
  sortBy: (label: string) => `Sort by ${label}`,
  objectNumber: "ID",
  type: "Type",
  inactive: "Inactive",
  changed: "Changed",
  rowHeight: "Row height",
  compact: "Compact",
  medium: "Medium",
  roomy: "Comfortable",
  copyCurl: "Copy as curl",
  copied: "Copied",

  references: "References",
  history: "History",
  notReferenced: "No objects visible to you refer to this one.",
  shownOf: (shown: string, total: string) => `${shown} of ${total} shown`,
  otherFields: "Other fields",
  createdBy: (name: string) => `Created by ${name}`,
  changedBy: (name: string) => `changed by ${name}`,
  missingTarget: (id: string) => `Object ${id} (deleted or not visible)`,
  deletedTarget: (name: string) => `${name} (deleted)`,
  revision: (number: string) => `Revision ${number}`,
  unknownUser: "System",
  user: (id: string) => `User ${id}`,
  before: "Before",
  after: "After",
  noHistory: "No changes are recorded.",
  actions: {
    insert: "created",
    update: "changed",
    state: "activated or deactivated",
    clean: "cleaned up",
    delete: "deleted",
    restore: "restored",
  } as Record<string, string>,

  sessionsHint: "Each login starts a session. End sessions that you do not recognize.",
  thisSession: "This session",
  endSession: "End session",
  endOtherSessions: "End all other sessions",
  since: "Logged in",
  expires: "Expires",
  address: "Address",
  program: "Client",

  problemTitle: "Something went wrong",
  noConnection: "The server does not respond. Check your connection and try again.",
  brokenScreen: "This page could not be shown. Reload it, or report this message:",
  reloadPage: "Reload page",
  notFound: "Not found. It may have been deleted, or you do not have permission to see it.",
  requestId: (id: string) => `Request ${id}`,
  showWholeText: (letters: string) => `Show all ${letters} characters`,
  goHome: "Go to dashboard",
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  breadcrumbs: "Breadcrumbs",
  undone: "Undone.",
  redone: "Redone.",
  undoLast: "Undo last change",
  redoLast: "Redo last change",
  undoConflict: "Not undone: someone else has changed it since.",
  nothingToUndo: "Nothing to undo on this page.",
  nothingToRedo: "Nothing to redo.",
  fieldSaved: (field: string) => `${field} was saved.`,
  fieldConflict: (field: string, value: string) =>
    `Not saved: someone else changed ${field} to “${value}”.`,

  accountPage,
  admin,
  auditLog,
  categories,
  clean,
  dashboard,
  designer,
  filter,
  form,
  groups,
  imports,
  sources,
  labels,
  object,
  palette,
  search,
  systemPage,
  table,
  timeline,
  tokens,
  users,
};

export type Texts = typeof en;
