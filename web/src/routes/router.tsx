import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { serverUrl } from "~/api/client";
import { objectQuery } from "~/api/objects";
import { queries } from "~/api/queryClient";
import { rowsQuery } from "~/api/rows";
import { meQuery } from "~/api/session";
import { viewsQuery } from "~/api/views";
import { DESIGNER_TABS, type DesignerTab } from "~/features/designer/tabs";
import { objectSearch } from "~/model/moment";
import { labelSearch } from "~/model/printLabels";
import { viewOf, viewSearch, withDefault } from "~/model/view";
import { account, administration } from "./administration";
import { root, ScreenError } from "./root";

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("~/features/home/HomePage"), "HomePage"),
});

export const objects = createRoute({
  getParentRoute: () => root,
  path: "/objects",
  validateSearch: viewSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    const search = withDefault(deps, queries.getQueryData(viewsQuery.queryKey));
    if (search && isLoggedIn()) void queries.prefetchQuery(rowsQuery(viewOf(search), 1));
  },
  component: lazyRouteComponent(() => import("./ObjectsRoute"), "ObjectsRoute"),
});

export const object = createRoute({
  getParentRoute: () => root,
  path: "/objects/$id",
  params: { parse: ({ id }) => ({ id }), stringify: ({ id }) => ({ id }) },
  validateSearch: objectSearch,
  loader: ({ params: { id } }) => {
    if (isLoggedIn()) void queries.prefetchQuery(objectQuery(Number(id)));
  },
  component: lazyRouteComponent(() => import("./ObjectRoute"), "ObjectRoute"),
});

const deleted = createRoute({
  getParentRoute: () => root,
  path: "/deleted",
  validateSearch: ({ type }: Record<string, unknown>): { type?: number } =>
    isId(type) ? { type } : {},
  component: lazyRouteComponent(() => import("./DeletedRoute"), "DeletedRoute"),
});

const newObject = createRoute({
  getParentRoute: () => root,
  path: "/objects/new",
  validateSearch: ({ type, from }: Record<string, unknown>): { type?: number; from?: number } => ({
    ...(isId(type) ? { type } : {}),
    ...(isId(from) ? { from } : {}),
  }),
  component: lazyRouteComponent(() => import("./FormRoutes"), "NewRoute"),
});

const editObject = createRoute({
  getParentRoute: () => root,
  path: "/objects/$id/edit",
  component: lazyRouteComponent(() => import("./FormRoutes"), "EditRoute"),
});

function isLoggedIn(): boolean {
  return queries.getQueryData(meQuery.queryKey) !== undefined;
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

const search = createRoute({
  getParentRoute: () => root,
  path: "/search",
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === "string" || typeof q === "number" ? { q: String(q) } : {},
  component: lazyRouteComponent(() => import("./SearchRoute"), "SearchRoute"),
});

const typeRoutes = () => import("./TypeRoutes");

const types = createRoute({
  getParentRoute: () => root,
  path: "/types",
  validateSearch: ({ open }: Record<string, unknown>): { open?: "import" | "packs" } =>
    open === "import" || open === "packs" ? { open } : {},
  component: lazyRouteComponent(typeRoutes, "TypesRoute"),
});

const newType = createRoute({
  getParentRoute: () => root,
  path: "/types/new",
  validateSearch: ({ tab, from }: Record<string, unknown>): TabSearch & { from?: number } => ({
    ...tabSearch(tab),
    ...(isId(from) ? { from } : {}),
  }),
  component: lazyRouteComponent(typeRoutes, "NewTypeRoute"),
});

const type = createRoute({
  getParentRoute: () => root,
  path: "/types/$id",
  validateSearch: ({ tab }: Record<string, unknown>) => tabSearch(tab),
  component: lazyRouteComponent(typeRoutes, "TypeRoute"),
});

interface TabSearch {
  tab?: DesignerTab;
}

function tabSearch(tab: unknown): TabSearch {
  const known = DESIGNER_TABS.find((name) => name === tab);
  return known ? { tab: known } : {};
}

const importRoutes = () => import("./ImportRoutes");

const imports = createRoute({
  getParentRoute: () => root,
  path: "/imports",
  component: lazyRouteComponent(importRoutes, "ImportsRoute"),
});

const newImport = createRoute({
  getParentRoute: () => root,
  path: "/imports/new",
  validateSearch: ({ type }: Record<string, unknown>): { type?: number } =>
    isId(type) ? { type } : {},
  component: lazyRouteComponent(importRoutes, "NewImportRoute"),
});

interface ImportSearch {
  type?: number;
  step?: "columns";
}

const oneImport = createRoute({
  getParentRoute: () => root,
  path: "/imports/$id",
  validateSearch: ({ type, step }: Record<string, unknown>): ImportSearch => ({
    ...(isId(type) ? { type } : {}),
    ...(step === "columns" ? { step } : {}),
  }),
  component: lazyRouteComponent(importRoutes, "ImportRoute"),
});

const sources = createRoute({
  getParentRoute: () => root,
  path: "/sources",
  component: lazyRouteComponent(importRoutes, "SourcesRoute"),
});

const labels = createRoute({
  getParentRoute: () => root,
  path: "/labels",
  validateSearch: labelSearch,
  component: lazyRouteComponent(() => import("./LabelsRoute"), "LabelsRoute"),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/account/sessions",
  component: lazyRouteComponent(() => import("~/features/sessions/SessionsPage"), "SessionsPage"),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: "/account/tokens",
  component: lazyRouteComponent(() => import("./TokenRoutes"), "OwnTokensRoute"),
});

/** Its loaders ask for data while a screen is still drawn; they wait for nothing. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    objects,
    newObject,
    object,
    editObject,
    deleted,
    search,
    types,
    newType,
    type,
    imports,
    newImport,
    oneImport,
    sources,
    labels,
    sessions,
    tokens,
    account,
    administration,
  ]),
  basepath: serverUrl.pathname,
  defaultErrorComponent: ScreenError,
  defaultPreload: "intent",
  // What a screen did not read from the address does not reach it.
  search: { strict: true },
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
