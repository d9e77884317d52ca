import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

test("the palette finds objects, types and commands by the keyboard", { tag: "@main" }, async ({
  page,
}) => {
  await logIn(page);
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await page.keyboard.type("ham-hv-003");
  await expect(palette.getByRole("menuitem").first()).toContainText("ham-hv-003");
  // The field names another item a moment after its list changed.
  const isNamed = () => {
    const id = document.activeElement?.getAttribute("aria-activedescendant");
    return Boolean(id && document.getElementById(id));
  };
  await expect.poll(() => page.evaluate(isNamed)).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ham-hv-003");
  await page.keyboard.press("/");
  await page.keyboard.type("laptop");
  await expect(palette.getByRole("menuitem", { name: "Laptop" }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { name: "All objects" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText(
    "Go to dashboard",
  );
  await expectAccessible(page);
});

test("single keys can be switched off", async ({ page }) => {
  await logIn(page, "/objects/300");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Luís");
  await page.keyboard.press("?");
  await page.getByText("Use single-key shortcuts").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
  await expect(page).toHaveURL(/objects\/300$/);
});

test("keys lead to the objects beside one", async ({ page }) => {
  await logIn(page, "/objects/300");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Luís");
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/objects\/301$/);
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText("Luís");
  await page.keyboard.press("[");
  await expect(page).toHaveURL(/objects\/300$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Luís");
});

test("a pinned view stands in the side bar, also after a reload", async ({ page }) => {
  await logIn(page, "/objects?type=11");
  await page.getByRole("button", { name: "Servers by rack" }).click();
  await page.getByText("Show in sidebar").click();
  await page.keyboard.press("Escape");
  const pinned = page.getByRole("region", { name: "Saved views" });
  await expect(pinned.getByRole("link", { name: "Servers by rack" })).toBeVisible();
  await page.goto("/");
  await pinned.getByRole("link", { name: "Servers by rack" }).click();
  await expect(page.getByRole("heading", { name: "Server" })).toBeVisible();
  await expectAccessible(page);
});

test("a row that somebody else changes shows it", { tag: "@main" }, async ({
  page,
  browser,
  server,
}) => {
  await logIn(page, "/objects?type=11&sort=public_id");
  const grid = page.getByRole("grid", { name: "Objects" });
  const row = grid.getByRole("row").nth(1);
  const link = row.getByRole("link").first();
  await expect(link).toBeVisible();
  const id = (await link.getAttribute("href"))?.split("/").at(-1);
  const other = await browser.newContext({ baseURL: server.url });
  const login = await other.request.post("/rest/auth/login", {
    data: { user_name: "birgit.schaefer", password: "stockroom-demo" },
  });
  const { token } = await login.json();
  const edit = await other.request.patch(`/rest/objects/${id}`, {
    data: { fields: [{ name: "manufacturer", value: "Changed elsewhere" }] },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(edit.ok()).toBe(true);
  await expect(row).toContainText("Changed elsewhere");
  await other.close();
});

test("what the same user changes in another tab shows, and what this tab changes is no news", {
  tag: "@main",
}, async ({ page, context }) => {
  const columns = encodeURIComponent('["fields.hostname","fields.manufacturer"]');
  const table = `/objects?type=11&sort=public_id&columns=${columns}`;
  await logIn(page, table);
  const cell = (of: Page, row: number) => of.locator(`[data-cell="${row}/1"]`);
  const row = (of: Page, index: number) => of.locator(`[role=row][aria-rowindex="${index + 2}"]`);
  const write = async (of: Page, index: number, value: string) => {
    await cell(of, index).click();
    await of.keyboard.type(value);
    await of.keyboard.press("Enter");
    await expect(of.getByText("Manufacturer was saved.").first()).toBeVisible();
  };
  await expect(cell(page, 1)).toHaveText(/[A-Z]/);
  const other = await context.newPage();
  await other.goto(table);
  await expect(cell(other, 1)).toHaveText(/[A-Z]/);
  await write(page, 0, "In this tab");
  await write(other, 1, "In another tab");
  await expect(cell(page, 1)).toHaveText("In another tab");
  await expect(row(page, 1)).toHaveAttribute("title", /^Changed by admin/);
  // Changes come in their order.
  await expect(row(page, 0)).not.toHaveAttribute("title");
  await expect(cell(other, 0)).toHaveText("In this tab");
  await other.close();
});

test("the graph shows neighbours, and leads to them", async ({ page }) => {
  await logIn(page, "/objects/8?tab=graph");
  const graph = page.getByRole("list", { name: "Graph" });
  await expect(graph.getByRole("listitem").nth(2)).toBeVisible();
  await expectAccessible(page);
  const before = await graph.getByRole("listitem").count();
  await graph.getByRole("button", { name: /Show the neighbours of Data hall/ }).click();
  await expect.poll(() => graph.getByRole("listitem").count()).toBeGreaterThan(before);
  await page.getByRole("tab", { name: "API" }).click();
  await expect(page.getByText('"public_id": 8')).toBeVisible();
  await expectAccessible(page);
});
