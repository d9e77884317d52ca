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
  logInAgain: "Your session has ended. Log in to go on; nothing you typed is lost.",
  userName: "User name",
  password: "Password",
  wrongLogin: "User name or password is wrong.",
  logOut: "Log out",
  loggedInAs: (name: string) => `Logged in as ${name}`,

  inventory: "Inventory",
  overview: "Overview",
  sections: "Sections",
  allObjects: "All objects",
  withoutCategory: "Without category",
  filterTree: "Filter categories and types",
  noTreeMatch: "No category or type has this name.",
  openMenu: "Open the menu",
  account: "Account",
  sessions: "Sessions",
  appearance: "Appearance",
  light: "Light",
  dark: "Dark",
  system: "Like the system",
  language: "Language",
  apiDocs: "API and guide",

  objectsCount: (count: number, text: string) =>
    count === 1 ? `${text} object` : `${text} objects`,
  recentlyChanged: "Recently changed",
  types: "Types",

  contains: "contains",
  is: "is",
  addFilter: "Add filter",
  removeFilter: (text: string) => `Remove the filter ${text}`,
  clearFilters: "Clear all filters",
  apply: "Apply",
  field: "Field",
  value: "Value",
  noObjects: "No objects yet.",
  noMatches: "No object matches these filters.",
  sortBy: (label: string) => `Sort by ${label}`,
  objectNumber: "No.",
  type: "Type",
  inactive: "Inactive",
  changed: "Changed",
  rowHeight: "Row height",
  compact: "Compact",
  medium: "Medium",
  roomy: "Roomy",
  copyCurl: "Copy as curl",
  copied: "Copied",

  references: "References",
  history: "History",
  notReferenced: "No visible object refers to this one.",
  shownOf: (shown: string, total: string) => `${shown} of ${total} shown`,
  otherFields: "Other fields",
  createdBy: (name: string) => `Created by ${name}`,
  changedBy: (name: string) => `changed by ${name}`,
  missingTarget: (id: string) => `Object ${id} (deleted or not visible)`,
  deletedTarget: (name: string) => `${name} (deleted)`,
  revision: (number: string) => `Revision ${number}`,
  unknownUser: "Service",
  user: (id: string) => `User ${id}`,
  before: "Before",
  after: "After",
  noHistory: "No change has been recorded.",
  actions: {
    insert: "created",
    update: "changed",
    state: "switched",
    clean: "cleaned",
    delete: "deleted",
    restore: "restored",
  } as Record<string, string>,

  sessionsHint: "Each login is a session. End those that you do not know.",
  thisSession: "This session",
  endSession: "End",
  endOtherSessions: "End all others",
  since: "Since",
  expires: "Expires",
  address: "Address",
  program: "Browser or program",

  problemTitle: "That did not work",
  noConnection: "The server does not answer. Check the connection and try again.",
  notFound: "There is nothing at this address.",
  requestId: (id: string) => `Request ${id}`,
  goHome: "Go to the overview",
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  breadcrumbs: "Where this is",
  undone: "Undone.",
  redone: "Done again.",
  undoLast: "Undo the last change",
  redoLast: "Do it again",
  nothingToUndo: "There is nothing to undo on this screen.",
  nothingToRedo: "There is nothing to do again.",
  fieldSaved: (field: string) => `${field} was saved.`,
  fieldConflict: (field: string, value: string) =>
    `Somebody else changed ${field} to “${value}” meanwhile.`,

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
