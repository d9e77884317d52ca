/** Integers that JavaScript would round are shown and written with all their digits. */
import type { Page } from "@playwright/test";
import { createObject, createType, storedValue } from "./records";
import { expect, logIn, test } from "./server";

const BIG = "9007199254740993";

async function open(page: Page, name: string) {
  await logIn(page);
  const type = await createType(page, name, { name: "text", size: "number" });
  return { type, id: await createObject(page, type, { name: '"first"', size: BIG }) };
}

test("a big integer survives the page, the form, a copy and the history", async ({ page }) => {
  const { id } = await open(page, "exact-form");
  await page.goto(`/objects/${id}`);
  await expect(page.getByText(BIG, { exact: true })).toBeVisible();
  await page.goto(`/objects/${id}/edit`);
  const size = page.getByRole("textbox", { name: "size" });
  await expect(size).toHaveValue(BIG);
  await size.fill("9007199254740995");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("9007199254740995", { exact: true })).toBeVisible();
  expect(await storedValue(page, id, "size")).toBe("9007199254740995");
  await page.getByRole("tab", { name: "History" }).click();
  const change = page.getByRole("listitem").filter({ hasText: "Revision 2" });
  await expect(change.getByText(BIG, { exact: true })).toBeVisible();
  await change
    .getByRole("button", { name: /^Restore size/ })
    .first()
    .click();
  await expect.poll(() => storedValue(page, id, "size")).toBe(BIG);
  const { type_id: type } = await (await page.request.get(`/rest/objects/${id}/native`)).json();
  await page.goto(`/objects/new?type=${type}&from=${id}`);
  await expect(size).toHaveValue(BIG);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).not.toHaveURL(/new/);
  const copy = Number(/objects\/(\d+)/.exec(page.url())?.[1]);
  expect(copy).not.toBe(id);
  expect(await storedValue(page, copy, "size")).toBe(BIG);
});

test("cells copy and take big integers", async ({ page }) => {
  const { type, id } = await open(page, "exact-cells");
  const second = await createObject(page, type, { name: '"second"', size: "1" });
  await page.goto(`/objects?type=${type}&sort=public_id&view=0`);
  const cell = (row: number) => page.locator(`[data-cell="${row}/2"]`);
  await expect(cell(0)).toHaveText(BIG);
  await cell(0).click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ControlOrMeta+d");
  await expect(cell(1)).toHaveText(BIG);
  expect(await storedValue(page, second, "size")).toBe(BIG);
  await cell(0).click();
  await page.keyboard.type("9007199254740997");
  await page.keyboard.press("Enter");
  await expect.poll(() => storedValue(page, id, "size")).toBe("9007199254740997");
  const where = `[{"path":"fields.size","operator":"is","value":"${BIG}"}]`;
  await page.goto(`/objects?type=${type}&view=0&where=${encodeURIComponent(where)}`);
  await expect(page.getByText("1 object", { exact: true })).toBeVisible();
  await expect(page.locator('[data-cell="0/1"]')).toHaveText("second");
});
