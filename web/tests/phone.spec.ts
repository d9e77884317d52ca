import { devices } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

const { defaultBrowserType: _, ...PHONE } = devices["Pixel 7"];

test.use({ ...PHONE, viewport: { width: 390, height: 800 } });

test("rows are cards that are filtered, sorted and selected", async ({ page }) => {
  await logIn(page, "/objects?type=11&sort=public_id");
  const grid = page.getByRole("grid", { name: "Objects" });
  const card = grid.getByRole("row").first();
  await expect(card.getByRole("link").first()).toHaveText(/^ham-sto-001/);
  await expect(card.getByRole("gridcell").filter({ hasText: "Asset tag" })).toContainText("A1");
  await expectAccessible(page);
  await page.getByRole("button", { name: /Sort by$/ }).tap();
  await page.getByRole("option", { name: "Host name" }).tap();
  await page.getByRole("button", { name: "Ascending" }).tap();
  await expect(card.getByRole("link").first()).toHaveText(/^zrh-/);
  await page.getByRole("button", { name: "Advanced filter" }).tap();
  const sheet = page.getByRole("dialog", { name: "Advanced filter" });
  await sheet.getByRole("button", { name: "Add condition" }).tap();
  await sheet.getByRole("textbox", { name: "Value" }).fill("ham-");
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 800 });
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Apply" }).tap();
  await expect(card.getByRole("link").first()).toHaveText(/^ham-/);
  await card.getByRole("checkbox").tap();
  await expect(page.getByRole("toolbar", { name: "1 selected" })).toBeVisible();
  await expectAccessible(page);
});

test("a card is selected by a long press, and its columns are chosen in a sheet", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await logIn(page, "/objects?type=11&sort=public_id");
  const grid = page.getByRole("grid", { name: "Objects" });
  const card = grid.getByRole("row").first();
  const cell = card.getByRole("gridcell").filter({ hasText: "Asset tag" });
  const finger = { pointerType: "touch", bubbles: true, clientX: 200, clientY: 300 };
  await cell.dispatchEvent("pointerdown", finger);
  await expect(card.getByRole("checkbox")).toBeChecked();
  await cell.dispatchEvent("pointerup", finger);
  await page.getByRole("button", { name: "Columns", exact: true }).tap();
  const sheet = page.getByRole("dialog", { name: "Columns" });
  await sheet.getByLabel("Search columns").fill("asset");
  await sheet.getByText("Asset tag").tap();
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Close" }).tap();
  await expect(card.getByText("Asset tag")).toHaveCount(0);
  await expect(card.getByText("Host name")).toBeVisible();
  await expect(card.getByText(/more fields$/)).toBeVisible();
});
