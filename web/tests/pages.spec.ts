/** What holds for every page: it is accessible in both themes and languages, and fits a phone. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

const SERVER = "/types/11";

const PAGES = [
  "/",
  "/search?q=ham",
  "/objects",
  "/objects?type=11",
  "/objects/new?type=11",
  "/objects/300",
  "/objects/300?tab=references",
  "/objects/300?tab=graph",
  "/objects/300?tab=history",
  "/objects/300?tab=api",
  "/objects/300/edit",
  "/deleted",
  "/imports",
  "/imports/new?type=8",
  "/sources",
  "/types",
  "/types?open=packs",
  `${SERVER}?tab=fields`,
  `${SERVER}?tab=look`,
  `${SERVER}?tab=access`,
  `${SERVER}?tab=sample`,
  `${SERVER}?tab=json`,
  "/admin/categories",
  "/admin/users",
  "/admin/users/2",
  "/admin/groups",
  "/admin/groups/3",
  "/admin/history",
  "/admin/history?view=logins",
  "/admin/system",
  "/account",
  "/account/sessions",
  "/account/tokens",
];

test("every page is accessible in the light, in English", async ({ page }) => {
  test.setTimeout(180_000);
  await logIn(page);
  for (const path of PAGES) {
    await open(page, path);
    await expectAccessible(page);
  }
});

test("every page is accessible in the dark, in German, and fits a phone", async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await logIn(page);
  await page.evaluate(() => localStorage.setItem("stockroom.language", "de"));
  for (const path of PAGES) {
    await open(page, path);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width, path).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  }
});

async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(/^(Loading…|Wird geladen …)$/)).toHaveCount(0);
  if (path.includes("open=")) await expect(page.getByRole("dialog")).toBeVisible();
  else if (path.includes("tab=")) await expect(page.getByRole("tabpanel")).toBeVisible();
}
