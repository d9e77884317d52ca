/** What is written is what people meant: nothing is changed, guessed or left out without a word. */
import type { Locator, Page } from "@playwright/test";
import { createObject, createType, storedValue } from "./records";
import { expect, logIn, test } from "./server";

/** The table of a type, with its cells by row and column. */
async function openTable(page: Page, type: number) {
  await page.goto(`/objects?type=${type}&sort=public_id`);
  const grid = page.getByRole("grid", { name: "Objects" });
  await expect(grid.locator('[data-cell="0/1"]')).toBeVisible();
  return {
    grid,
    cell: (row: number, column: number) => grid.locator(`[data-cell="${row}/${column}"]`),
  };
}

function paste(grid: Locator, at: string, text: string) {
  return grid.evaluate(
    (element, [place, pasted]) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
      element.querySelector(`[data-cell="${place}"]`)?.dispatchEvent(event);
    },
    [at, text] as const,
  );
}

test("a fill takes values as they are, and leaves the first row alone", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "fills", { name: "text", day: "date", count: "text" });
  const values = { name: '"a"', day: '{"$date": 1772600767089}', count: '"007"' };
  const first = await createObject(page, type, values);
  const second = await createObject(page, type, { name: '"a"', day: "null", count: "null" });
  const { cell } = await openTable(page, type);
  await cell(0, 2).click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("ControlOrMeta+d");
  await expect(page.getByText("1 object was changed.")).toBeVisible();
  for (const id of [first, second]) {
    expect(await storedValue(page, id, "count")).toBe('"007"');
    expect(await storedValue(page, id, "day")).toContain("1772600767089");
  }
});

test("a number is one with a comma too, and nothing else is taken for one", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "weights", { name: "text", weight: "number" });
  const id = await createObject(page, type, { name: '"a"', weight: "1" });
  const { cell } = await openTable(page, type);
  await cell(0, 2).click();
  await page.keyboard.type("12,5");
  await page.keyboard.press("Enter");
  await expect.poll(() => storedValue(page, id, "weight")).toBe("12.5");
  for (const text of ["0x10", "12 GB", "1,250"]) {
    await cell(0, 2).click();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Enter a number, such as 12.5.").first()).toBeVisible();
    await page.keyboard.press("Escape");
    expect(await storedValue(page, id, "weight")).toBe("12.5");
  }
  await page.goto(`/objects/${id}/edit`);
  await page.getByRole("textbox", { name: "weight" }).fill("many");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Enter a number, such as 12.5.")).toBeVisible();
  expect(await storedValue(page, id, "weight")).toBe("12.5");
});

test("links, addresses and times are shown as such, in one form each", async ({ page }) => {
  await logIn(page);
  const kinds = { name: "text", mac: "mac", page: "url", mail: "email", at: "datetime" };
  const type = await createType(page, "interfaces", kinds);
  const empty = { name: '"a"', mac: "null", page: "null", mail: "null", at: "null" };
  const id = await createObject(page, type, empty);
  await page.goto(`/objects/${id}/edit`);
  await page.getByRole("textbox", { name: "mac" }).fill("00-1B-44-11-3A-B7");
  await page.getByRole("textbox", { name: "page" }).fill("HTTPS://example.org/wiki");
  await page.getByRole("textbox", { name: "mail" }).fill("it@Example.org");
  await page.getByLabel("at", { exact: true }).fill("2026-03-04T05:06");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("00:1b:44:11:3a:b7")).toBeVisible();
  const link = page.getByRole("link", { name: "https://example.org/wiki" });
  await expect(link).toHaveAttribute("href", "https://example.org/wiki");
  const mail = page.getByRole("link", { name: "it@example.org" });
  await expect(mail).toHaveAttribute("href", "mailto:it@example.org");
  const time = await page.evaluate(() => new Date("2026-03-04T05:06").getTime());
  expect(await storedValue(page, id, "at")).toContain(String(time));
  await expect(page.getByRole("time")).toHaveText(/4.*2026.*5:06/);
});

test("cells that a paste leaves out are told, and quotes stay", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "pastes", { name: "text", secret: "password", last: "text" });
  const ids = [1, 2].map(() =>
    createObject(page, type, { name: '"n"', secret: '"s"', last: '"l"' }),
  );
  const [first = 0, second = 0] = await Promise.all(ids);
  const { grid, cell } = await openTable(page, type);
  await cell(0, 1).click();
  await paste(grid, "0/1", '"Alpha" server\tx\ty\tz\n"\nC\n');
  await expect(page.getByText("2 objects were changed.")).toBeVisible();
  await expect(page.getByText(/^3 pasted cells were left out/)).toBeVisible();
  const low = Math.min(first, second);
  await expect(cell(0, 1)).toHaveText('"Alpha" server');
  await expect(cell(1, 1)).toHaveText('"');
  expect(await storedValue(page, low, "last")).toBe('"y"');
});

test("a checkbox that is left off is set to No in many objects", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "flags", { name: "text", flag: "checkbox" });
  const id = await createObject(page, type, { name: '"a"', flag: "true" });
  await openTable(page, type);
  await page
    .getByRole("checkbox", { name: /^Select object/ })
    .first()
    .click();
  await page.getByRole("toolbar").getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Action for flag" }).click();
  await page.getByRole("option", { name: "Set" }).click();
  await dialog.getByRole("button", { name: /^Change 1/ }).click();
  await expect.poll(() => storedValue(page, id, "flag")).toBe("false");
});

test("a date with a time and a text of two lines are shown as they are", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "lines", { name: "text", day: "date" });
  const values = { name: '"one\\ntwo"', day: '"2026-03-04T05:06:07Z"' };
  const id = await createObject(page, type, values);
  await page.goto(`/objects/${id}/edit`);
  await expect(page.getByLabel("day")).toHaveValue("2026-03-04");
  await page.getByLabel("name", { exact: true }).press("ControlOrMeta+End");
  await page.keyboard.type("!");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => storedValue(page, id, "name")).toBe('"one\\ntwo!"');
  expect(await storedValue(page, id, "day")).toBe('"2026-03-04T05:06:07Z"');
});
