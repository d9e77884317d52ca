/** Addresses that somebody typed wrong, or made to do harm. */
import { createObject, createType } from "./records";
import { expect, logIn, test } from "./server";

test("what an address asks for and nobody can read is left out", async ({ page }) => {
  const where = encodeURIComponent('[{"path":"fields.name","operator":"begins","value":"x"}]');
  await logIn(page, `/objects?type=11&view=0&where=${where}`);
  await expect(page.getByRole("grid", { name: "Objects" })).toBeVisible();
  await expect(page).not.toHaveURL(/begins/);
  await page.goto("/objects/1?as_of=9999-99-99T99:99");
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
  await page.goto("/objects/1?as_of=0000-00-00T00:00");
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
  await page.goto("/admin/history?from=2026-99-99");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a long text that looks like an address holds nobody up", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "colons", { name: "text" });
  const id = await createObject(page, type, { name: JSON.stringify(`${":".repeat(200_000)}x`) });
  await page.goto(`/objects/${id}`);
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible({ timeout: 5_000 });
  await page.goto(`/objects/${id}?tab=history`);
  await expect(page.getByRole("tab", { name: "History" })).toBeVisible({ timeout: 5_000 });
  await page.getByRole("button", { name: "Initial values" }).click({ timeout: 5_000 });
  const whole = page.getByRole("button", { name: "Show all 200,001 characters" });
  await whole.click();
  await expect(whole).toHaveCount(0);
});
