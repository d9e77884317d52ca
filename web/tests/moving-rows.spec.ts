/** Rows move below the hands of whoever edits them; nothing may reach another object. */
import type { Page } from "@playwright/test";
import { createObject, createType, deleteObject, storedValue } from "./records";
import { expect, logIn, test } from "./server";

const cell = (page: Page, row: number, column: number) =>
  page.getByRole("grid", { name: "Objects" }).locator(`[data-cell="${row}/${column}"]`);

interface List {
  name: string;
  sort: string;
  rows: number;
}

/** Opens the objects of a new type, named n00, n01 and so on. Answers the type, and their ids. */
async function open(page: Page, { name, sort, rows }: List) {
  await logIn(page);
  const type = await createType(page, name, { name: "text", a: "text", b: "text" });
  const ids: number[] = [];
  for (let index = 0; index < rows; index += 1) {
    const values = { name: `"n${String(index).padStart(2, "0")}"`, a: '"old"' };
    ids.push(await createObject(page, type, values));
  }
  // From then on the page hears of what is changed elsewhere.
  const feed = page.waitForRequest(
    (request) => request.url().includes("/rest/changes") && !request.url().includes("after=now"),
  );
  await page.goto(`/objects?type=${type}&sort=${sort}&view=0`);
  await expect(cell(page, 0, 1)).toHaveText(/^n/);
  await feed;
  return { type, ids };
}

/** The values of the field `a`. */
function valuesOf(page: Page, ids: readonly number[]) {
  return Promise.all(ids.map((id) => storedValue(page, id, "a")));
}

test("what is typed after a save goes to the same object, wherever its row went", async ({
  page,
}) => {
  const { ids } = await open(page, { name: "moved-by-me", sort: "fields.name", rows: 3 });
  await cell(page, 0, 1).click();
  await page.keyboard.type("zz");
  await page.keyboard.press("Tab");
  await expect(cell(page, 2, 1)).toHaveText("zz");
  await expect(cell(page, 2, 2)).toBeFocused();
  await page.keyboard.type("mine");
  await page.keyboard.press("Enter");
  await expect(cell(page, 2, 2)).toHaveText("mine");
  await expect.poll(() => valuesOf(page, ids)).toEqual(['"mine"', '"old"', '"old"']);
});

test("keys typed at once after Tab go to the same object", async ({ page }) => {
  const { ids } = await open(page, { name: "moved-at-once", sort: "fields.name", rows: 3 });
  await cell(page, 0, 1).click();
  await page.keyboard.type("zz");
  await page.keyboard.press("Tab");
  await page.keyboard.type("mine", { delay: 40 });
  await page.keyboard.press("Enter");
  await expect(cell(page, 2, 2)).toHaveText("mine");
  await expect.poll(() => valuesOf(page, ids)).toEqual(['"mine"', '"old"', '"old"']);
});

test("a row that leaves the rows on the screen stays until the cursor leaves it", async ({
  page,
}) => {
  const { ids } = await open(page, { name: "moved-away", sort: "fields.name", rows: 60 });
  await cell(page, 0, 1).click();
  await page.keyboard.type("zz");
  await page.keyboard.press("Tab");
  await expect(cell(page, 1, 1)).toHaveText("n01");
  await expect(cell(page, 0, 1)).toHaveText("zz");
  await page.keyboard.type("mine");
  await page.keyboard.press("Enter");
  await expect(page.getByText("a was saved.")).toBeVisible();
  await expect(cell(page, 0, 2)).toHaveText("mine");
  await expect.poll(() => valuesOf(page, ids.slice(0, 2))).toEqual(['"mine"', '"old"']);
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, 0, 1)).toHaveText("n01");
  await expect(cell(page, 0, 2)).toBeFocused();
});

const WAYS: Record<string, { expected: string; act: (page: Page) => Promise<unknown> }> = {
  typing: {
    expected: '"hello"',
    act: async (page) => {
      await page.keyboard.type("hello");
      await page.keyboard.press("Enter");
    },
  },
  deleting: { expected: "null", act: (page) => page.keyboard.press("Delete") },
  pasting: {
    expected: '"hello"',
    act: (page) =>
      page.evaluate(() => {
        const data = new DataTransfer();
        data.setData("text/plain", "hello");
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
        document.activeElement?.dispatchEvent(event);
      }),
  },
};

for (const [way, { expected, act }] of Object.entries(WAYS)) {
  test(`${way} changes the object that was chosen, though another one came above`, async ({
    page,
  }) => {
    const list = { name: `${way}-below`, sort: "-public_id", rows: 3 };
    const { type, ids } = await open(page, list);
    await cell(page, 1, 2).click();
    await createObject(page, type, { name: '"intruder"', a: '"old"' });
    await expect(cell(page, 0, 1)).toHaveText("intruder");
    await expect(cell(page, 2, 2)).toBeFocused();
    await act(page);
    await expect.poll(() => valuesOf(page, ids)).toEqual(['"old"', expected, '"old"']);
  });
}

test("an open editor stays with its object", async ({ page }) => {
  const { type, ids } = await open(page, { name: "editor-moves", sort: "-public_id", rows: 3 });
  await cell(page, 1, 2).click();
  await page.keyboard.type("he");
  await createObject(page, type, { name: '"intruder"', a: '"old"' });
  await expect(cell(page, 0, 1)).toHaveText("intruder");
  await expect(cell(page, 2, 2).getByRole("textbox")).toHaveValue("he");
  await page.keyboard.type("llo");
  await page.keyboard.press("Enter");
  await expect.poll(() => valuesOf(page, ids)).toEqual(['"old"', '"hello"', '"old"']);
});

test("an open editor whose object is deleted writes nothing", async ({ page, console }) => {
  const { ids } = await open(page, { name: "editor-deleted", sort: "public_id", rows: 3 });
  const [, second = 0] = ids;
  await cell(page, 1, 2).click();
  await page.keyboard.type("he");
  await deleteObject(page, second);
  await expect(cell(page, 2, 1)).toHaveText("n02");
  await expect(cell(page, 1, 2).getByRole("textbox")).toHaveValue("he");
  await page.keyboard.type("llo");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/there is no object/)).toBeVisible();
  await expect(cell(page, 1, 2)).toBeFocused();
  await page.keyboard.press("Delete");
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, 1, 1)).toHaveText("n02");
  await expect(cell(page, 1, 2)).toBeFocused();
  const [first = 0, , third = 0] = ids;
  expect(await valuesOf(page, [first, third])).toEqual(['"old"', '"old"']);
  // The browser reports the refused reads itself.
  console.length = 0;
});

test("an open editor that goes with its table says so", async ({ page }) => {
  const { type, ids } = await open(page, { name: "editor-goes", sort: "public_id", rows: 1 });
  await page.goto(`/objects?type=${type}&sort=public_id`);
  await cell(page, 0, 2).click();
  await page.keyboard.type("hello");
  await deleteObject(page, ids[0] ?? 0);
  await expect(page.getByText("a of object", { exact: false })).toBeVisible();
});

test("a value that somebody else changed below an open editor is a conflict", async ({ page }) => {
  const { ids } = await open(page, { name: "editor-conflict", sort: "public_id", rows: 2 });
  const [first = 0] = ids;
  await cell(page, 0, 2).dblclick();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("mine");
  const data = { fields: [{ name: "a", value: "theirs" }] };
  const headers = { origin: new URL(page.url()).origin, "sec-fetch-site": "same-origin" };
  await page.request.patch(`/rest/objects/${first}`, { data, headers });
  await expect(page.getByRole("row", { name: /n00/ })).toHaveAttribute("title", /Changed by/);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/someone else changed/i)).toBeVisible();
  expect(await valuesOf(page, [first])).toEqual(['"theirs"']);
});

test("a range is given up when another object comes between its rows", async ({ page }) => {
  const { type, ids } = await open(page, { name: "range-moves", sort: "fields.name", rows: 3 });
  await cell(page, 0, 2).click();
  await page.keyboard.type("new");
  await page.keyboard.press("Enter");
  await expect(page.getByText("a was saved.")).toBeVisible();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(cell(page, 1, 2)).toHaveAttribute("data-range", "true");
  const between = await createObject(page, type, { name: '"n00x"', a: '"old"' });
  await expect(cell(page, 1, 1)).toHaveText("n00x");
  await expect(cell(page, 1, 2)).toHaveAttribute("data-range", "false");
  await page.keyboard.press("ControlOrMeta+d");
  await expect(cell(page, 3, 2)).toBeFocused();
  expect(await valuesOf(page, [...ids, between])).toEqual(['"new"', '"old"', '"old"', '"old"']);
});

test("a range moves with its rows", async ({ page }) => {
  const { type, ids } = await open(page, { name: "range-shifts", sort: "fields.name", rows: 3 });
  await cell(page, 0, 2).click();
  await page.keyboard.type("new");
  await page.keyboard.press("Enter");
  await expect(page.getByText("a was saved.")).toBeVisible();
  await page.keyboard.press("Shift+ArrowDown");
  const above = await createObject(page, type, { name: '"a"', a: '"old"' });
  await expect(cell(page, 0, 1)).toHaveText("a");
  await expect(cell(page, 2, 2)).toHaveAttribute("data-range", "true");
  await page.keyboard.press("ControlOrMeta+d");
  await expect
    .poll(() => valuesOf(page, [above, ...ids]))
    .toEqual(['"old"', '"new"', '"new"', '"old"']);
});
