import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

const NETWORK = 8;
const MONDAY = [
  "UUID,Name,Range,Zone",
  "u1,src-1,10.9.1.0/24,test",
  "u2,src-2,10.9.2.0/24,test",
].join("\n");
const TUESDAY = ["UUID,Name,Range,Zone", "u1,src-1b,10.9.1.0/24,test"].join("\n");

test("a mapping is saved as a source, and the next file shows what is missing", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await logIn(page, `/imports/new?type=${NETWORK}`);
  await upload(page, "monday.csv", MONDAY);
  await page.getByRole("button", { name: "Save as source" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as source" });
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("vcenter");
  await expect(dialog.getByText("If records are missing from a file")).toHaveCount(0);
  await dialog.getByText("UUID", { exact: true }).click();
  await expect(dialog.getByText("If records are missing from a file")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel(/^Limit/).fill("60");
  await dialog.getByRole("button", { name: "Save and check all rows" }).click();
  await expect(page.getByText("No rows are rejected.")).toBeVisible();
  await expect(page.getByText("Source: vcenter")).toBeVisible();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await expect(page.getByText("Objects created: 2. Objects changed: 0.")).toBeVisible();

  await page.getByRole("link", { name: "Import another file" }).click();
  await upload(page, "tuesday.csv", TUESDAY);
  await expect(page.getByRole("heading", { name: "Use a source" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Check with vcenter" }).click();
  await expect(
    page.getByText("1 known record is missing from the file. Effect on its object:"),
  ).toBeVisible();
  await expect(missing(page)).toContainText("u2");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await expect(page.getByText("Objects created: 0. Objects changed: 1.")).toBeVisible();
  await expect(
    page.getByText("1 known record is missing from the file.", { exact: true }),
  ).toBeVisible();
  await expect(missing(page).getByRole("link", { name: /^Object/ })).toBeVisible();
  await expectAccessible(page);

  await missing(page)
    .getByRole("link", { name: /^Object/ })
    .click();
  await expect(page.getByText(/Source: vcenter, missing since \d/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "vcenter" }).click();
  await expect(page.getByRole("heading", { name: "Sources" })).toBeVisible();
  await page.goBack();
  await page.goBack();

  await page.getByRole("link", { name: "Imports" }).first().click();
  await page.getByRole("link", { name: "Sources" }).click();
  const source = page.getByRole("row").filter({ hasText: "vcenter" });
  await expect(source.getByRole("cell").nth(4)).toHaveText("2");
  await expect(source.getByRole("cell").nth(5)).toHaveText("1");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Edit source vcenter" }).click();
  const change = page.getByRole("dialog", { name: "Edit source vcenter" });
  await change.getByRole("textbox", { name: /^Name/ }).fill("vcenter north");
  await change.getByText("Deactivate the objects").click();
  await expectAccessible(page);
  await change.getByRole("button", { name: "Save source", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: "vcenter north" })).toContainText(
    "Deactivate the objects",
  );
  await page.getByRole("button", { name: "Delete source vcenter north" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: "Delete source", exact: true })
    .click();
  await expect(page.getByText("Source vcenter north was deleted.")).toBeVisible();
  await expect(page.getByText("No sources yet.")).toBeVisible();
});

function missing(page: Page) {
  return page.getByRole("table", { name: "Missing records" });
}

async function upload(page: Page, name: string, text: string) {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator('input[type="file"]').setInputFiles(file);
}
