import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

/** The rows of the tree, as "level name". */
function entries(page: Page) {
  return page
    .getByRole("treegrid", { name: "Category tree" })
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.map((row) => `${row.getAttribute("aria-level")} ${row.getAttribute("aria-label")}`),
    );
}

/** What of `entries` follows an entry. */
async function after(page: Page, entry: string) {
  const all = await entries(page);
  return all[all.indexOf(entry) + 1];
}

async function undo(page: Page, said: string) {
  const toast = page.getByRole("alertdialog").filter({ hasText: said });
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.").first()).toBeVisible();
}

test("categories move by mouse, and back by undo", async ({ page }) => {
  await logIn(page, "/admin/categories");
  const tree = page.getByRole("treegrid", { name: "Category tree" });
  await expect(tree.getByRole("row", { name: "Data halls" })).toBeVisible();
  await expectAccessible(page);
  const halls = tree.getByRole("row", { name: "Data halls" });
  const buildings = tree.getByRole("row", { name: "Buildings" });
  await halls.dragTo(buildings, { targetPosition: { x: 160, y: 2 } });
  await expect(page.getByText("Data halls was moved.")).toBeVisible();
  await expect.poll(() => after(page, "1 Places")).toBe("2 Data halls");
  await undo(page, "Data halls was moved.");
  await expect.poll(() => after(page, "1 Places")).toBe("2 Buildings");
  // A type, too, and into a category.
  await tree.getByRole("row", { name: "Rack" }).dragTo(buildings);
  await expect(page.getByText("Rack was moved.")).toBeVisible();
  await expect.poll(() => after(page, "3 Room")).toBe("3 Rack");
  await undo(page, "Rack was moved.");
});

test("categories move by keys: with the drag of the keyboard, and by steps", async ({ page }) => {
  await logIn(page, "/admin/categories");
  const tree = page.getByRole("treegrid", { name: "Category tree" });
  await expect(tree.getByRole("row", { name: "Purchasing" })).toBeVisible();
  await page.getByRole("button", { name: "New category", exact: true }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Purch");
  await expect(tree.getByRole("row", { name: "Purchasing" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(":focus")).toHaveAccessibleName(/^(Insert|Drop)/);
  await expect(async () => {
    await page.keyboard.press("ArrowUp");
    await expect(page.locator(":focus")).toHaveAccessibleName("Drop on People", { timeout: 1 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Purchasing was moved.")).toBeVisible();
  await expect.poll(() => entries(page)).toContain("3 Purchasing");
  await undo(page, "Purchasing was moved.");
  await expect.poll(() => entries(page)).toContain("2 Purchasing");
  await tree.getByRole("row", { name: "Purchasing" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(() => after(page, "1 Organisation")).toBe("2 Purchasing");
  await expect(tree.getByRole("row", { name: "Purchasing" })).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(() => after(page, "1 Organisation")).toBe("2 People");
});

test("a category is made, changed and deleted; those below it move to the top", async ({
  page,
  console,
}) => {
  await logIn(page, "/admin/categories");
  await page.getByRole("button", { name: "New category", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("must not be empty")).toBeVisible();
  await dialog.getByRole("textbox", { name: "API name" }).fill("storage");
  await dialog.getByRole("checkbox", { name: "Rack" }).click({ force: true });
  await dialog.getByRole("option", { name: "database" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Category Storage was created.")).toBeVisible();
  await expect.poll(() => after(page, "1 Storage")).toBe("2 Rack");
  await page.getByRole("button", { name: "New category in Storage" }).click();
  await dialog.getByRole("textbox", { name: "API name" }).fill("shelves");
  await page.keyboard.press("Enter");
  await expect.poll(() => after(page, "1 Storage")).toBe("2 Shelves");
  await page.getByRole("button", { name: "Delete Storage" }).click();
  await expect(dialog).toContainText("These categories move to the top level: Shelves.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Category Storage was deleted.")).toBeVisible();
  await expect.poll(() => entries(page)).toContain("1 Shelves");
  await undo(page, "Category Storage was deleted.");
  await expect.poll(() => after(page, "1 Storage")).toBe("2 Shelves");
  // The browser reports the refused category itself.
  console.length = 0;
});
