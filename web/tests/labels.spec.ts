import { expect, expectAccessible, logIn, test } from "./server";

test("labels of selected rows are previewed and printed", { tag: "@main" }, async ({
  page,
  server,
}) => {
  await logIn(page, "/objects?type=9&sort=public_id");
  const marks = page.getByRole("checkbox", { name: /^Select object/ });
  await marks.nth(0).click();
  await marks.nth(1).click();
  await page.getByRole("toolbar").getByRole("button", { name: "Print labels" }).click();
  const sheets = page.getByRole("region", { name: "Preview" });
  await expect(sheets.getByRole("listitem")).toHaveCount(2);
  await expect(sheets.getByRole("img", { name: `${server.url}/objects/729` })).toBeVisible();
  await expect(sheets).toContainText("ham-sw-01");
  await page.getByRole("combobox", { name: "Add to Fields" }).fill("Serial");
  await page.getByRole("option", { name: "Serial number" }).click();
  await expect(sheets).toContainText("Serial number: 3NMBJK37ELM");
  await page.getByRole("button", { name: /Barcode$/ }).click();
  await expect(page.getByRole("option", { name: "Enable password" })).toHaveCount(0);
  await page.getByRole("option", { name: "Serial number" }).click();
  await expect(sheets.getByRole("img", { name: "3NMBJK37ELM" })).toBeVisible();
  await page.getByRole("button", { name: /Label sheet$/ }).click();
  await page.getByRole("option", { name: "A4, 3 × 8 labels" }).click();
  await expect(page).toHaveURL(/sheet=a4-3x8/);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectAccessible(page);
  // Paper stays white, or light codes would be printed on it.
  const sheet = sheets.getByRole("list").first();
  await expect(sheet).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(sheet).toHaveCSS("color", "rgb(27, 31, 39)");
  // Paper shows the labels alone.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("button", { name: "Print labels" })).toBeHidden();
  await expect(sheets).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "true");
  });
  await page.getByRole("button", { name: "Print labels", exact: true }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "true");
});

test("each sheet is one page of its size", async ({ page }) => {
  const ids = Array.from({ length: 25 }, (_, index) => 729 + index).join(",");
  const pages = { "62x29": 25, "a4-3x8": 2, "a4-4x10": 1 };
  await logIn(page);
  for (const [sheet, count] of Object.entries(pages)) {
    await page.goto(`/labels?ids=${ids}&sheet=${sheet}`);
    await expect(page.getByRole("listitem").filter({ hasText: "#753" })).toBeVisible();
    const document = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(document.match(/\/Type\s*\/Page\b/g)).toHaveLength(count);
  }
});

test("an object has its label, also on a phone and in German", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logIn(page, "/objects/8");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Print labels" }).click();
  await expect(page).toHaveURL(/\/labels\?ids=8$/);
  // The page of the object, which may still be there, has the name twice.
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("HAM-R01");
  await page.evaluate(() => localStorage.setItem("stockroom.language", "de"));
  await page.goto("/labels?ids=8&sheet=a4-4x10&barcode=room");
  await expect(page.getByRole("heading", { name: "Etiketten drucken" })).toBeVisible();
  await expect(page.getByText("HAM-R01")).toBeVisible();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test("missing objects and an empty choice are said", async ({ page }) => {
  await logIn(page, "/labels?ids=8,999999");
  await expect(page.getByText("Deleted, or not visible to you: 1.")).toBeVisible();
  await expect(page.getByText("HAM-R01")).toBeVisible();
  await page.goto("/labels");
  await expect(page.getByText("No objects selected.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Show all objects" })).toBeVisible();
});
