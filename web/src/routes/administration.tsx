/** The screens of the administration. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { auditSearch } from "~/model/auditLog";
import { userSearch } from "~/model/users";
import { AdministrationFrame } from "./AdministrationFrame";
import { root } from "./root";

const frame = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  component: AdministrationFrame,
});

const categories = createRoute({
  getParentRoute: () => frame,
  path: "categories",
  component: lazyRouteComponent(
    () => import("~/features/categories/CategoriesPage"),
    "CategoriesPage",
  ),
});

const users = createRoute({
  getParentRoute: () => frame,
  path: "users",
  validateSearch: userSearch,
  component: lazyRouteComponent(() => import("./UserRoutes"), "UsersRoute"),
});

const newUser = createRoute({
  getParentRoute: () => frame,
  path: "users/new",
  component: lazyRouteComponent(() => import("~/features/users/UserPage"), "NewUserPage"),
});

const user = createRoute({
  getParentRoute: () => frame,
  path: "users/$id",
  component: lazyRouteComponent(() => import("./UserRoutes"), "UserRoute"),
});

const userTokens = createRoute({
  getParentRoute: () => frame,
  path: "users/$id/tokens",
  component: lazyRouteComponent(() => import("./TokenRoutes"), "UserTokensRoute"),
});

const groups = createRoute({
  getParentRoute: () => frame,
  path: "groups",
  component: lazyRouteComponent(() => import("~/features/groups/GroupsPage"), "GroupsPage"),
});

const newGroup = createRoute({
  getParentRoute: () => frame,
  path: "groups/new",
  component: lazyRouteComponent(() => import("~/features/groups/GroupPage"), "NewGroupPage"),
});

const group = createRoute({
  getParentRoute: () => frame,
  path: "groups/$id",
  component: lazyRouteComponent(() => import("./GroupRoute"), "GroupRoute"),
});

const history = createRoute({
  getParentRoute: () => frame,
  path: "history",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./AuditLogRoute"), "AuditLogRoute"),
});

const system = createRoute({
  getParentRoute: () => frame,
  path: "system",
  component: lazyRouteComponent(() => import("~/features/system/SystemPage"), "SystemPage"),
});

/** What everybody has. */
export const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("~/features/account/AccountPage"), "AccountPage"),
});

export const administration = frame.addChildren([
  users,
  newUser,
  user,
  userTokens,
  groups,
  newGroup,
  group,
  history,
  categories,
  system,
]);
