/** Pictures of the main screens, to be looked at: `make screenshots`. */
import type { Page } from "@playwright/test";
import { expect, logIn, test } from "../tests/server";
import { VARIANTS } from "./variants";

interface Screen {
  name: string;
  path: string;
  /** What must be done before the picture. */
  prepare?: (page: Page) => Promise<void>;
}

/** A row that is fine, one with a wrong choice, and one whose site is unknown. */
const ROWS = [
  "Name,VLAN,Range,Zone,Site,Colour",
  "ham-test-1,12,10.9.1.0/24,test,HAM,grey",
  "ham-test-2,13,10.9.2.0/24,tset,HAM,grey",
  "xxx-test-1,14,10.9.3.0/24,test,XXX,black",
].join("\n");

async function importRows(page: Page) {
  await page.getByLabel("Copied rows").fill(ROWS);
  await page.getByRole("button", { name: "Import copied rows" }).click();
  await expect(page.getByText("3 rows")).toBeVisible();
}

const SCREENS: readonly Screen[] = [
  { name: "overview", path: "/" },
  { name: "table", path: "/objects?type=11" },
  { name: "all-objects", path: "/objects" },
  {
    name: "bulk-bar",
    path: "/objects?type=11",
    prepare: (page) =>
      page
        .getByRole("checkbox", { name: /^Select object/ })
        .first()
        .click(),
  },
  {
    name: "bulk-edit",
    path: "/objects?type=11",
    prepare: async (page) => {
      await page
        .getByRole("checkbox", { name: /^Select object/ })
        .first()
        .click();
      await page.getByRole("toolbar").getByRole("button", { name: "Edit" }).click();
    },
  },
  {
    name: "columns",
    path: "/objects?type=11",
    prepare: (page) => page.getByRole("button", { name: "Columns", exact: true }).click(),
  },
  {
    name: "filter",
    path: "/objects?type=11",
    prepare: (page) => page.getByRole("button", { name: "Add filter" }).click(),
  },
  { name: "object", path: "/objects/300" },
  { name: "references", path: "/objects/8?tab=references" },
  { name: "graph", path: "/objects/8?tab=graph" },
  { name: "history", path: "/objects/8?tab=history" },
  { name: "past", path: "/objects/8?revision=1" },
  { name: "labels", path: "/labels?ids=729,730,731&sheet=a4-3x8&fields=serial&barcode=serial" },
  { name: "form", path: "/objects/8/edit" },
  { name: "form-new", path: "/objects/new?type=11" },
  {
    name: "palette",
    path: "/",
    prepare: async (page) => {
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("ham-hv");
      await expect(page.getByRole("menuitem").first()).toContainText("ham-hv");
    },
  },
  { name: "search", path: "/search?q=ham" },
  { name: "import-file", path: "/imports/new?type=8" },
  { name: "import-columns", path: "/imports/new?type=8", prepare: importRows },
  {
    name: "import-check",
    path: "/imports/new?type=8",
    prepare: async (page) => {
      await importRows(page);
      await page.getByRole("button", { name: "Check all rows" }).click();
      await expect(page.getByText(/rejected. Fix/)).toBeVisible();
    },
  },
  { name: "imports", path: "/imports" },
  { name: "types", path: "/types" },
  { name: "packs", path: "/types?open=packs" },
  { name: "designer", path: "/types/11" },
  { name: "designer-look", path: "/types/11?tab=look" },
  { name: "designer-access", path: "/types/11?tab=access" },
  { name: "categories", path: "/admin/categories" },
  { name: "users", path: "/admin/users" },
  { name: "group", path: "/admin/groups/3" },
  { name: "audit-log", path: "/admin/history" },
  { name: "system", path: "/admin/system" },
  { name: "account", path: "/account" },
  { name: "tokens", path: "/account/tokens" },
];

for (const { title, options, pathOf } of VARIANTS) {
  test.describe(title, () => {
    test.use(options);

    test("the main screens", async ({ page }) => {
      test.setTimeout(300_000);
      await page.goto("/");
      await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
      await page.screenshot({ path: pathOf("login") });
      await logIn(page);
      for (const { name, path, prepare } of SCREENS) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByText("Loading…")).toHaveCount(0);
        await prepare?.(page);
        await page.screenshot({ path: pathOf(name) });
      }
    });
  });
}
