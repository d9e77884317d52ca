import { readFile } from "node:fs/promises";
import { expect, expectAccessible, logIn, test } from "./server";

const SERVERS = "/objects?type=11&sort=public_id";

test("the default view of a type opens, and a changed view is saved as a new one", async ({
  page,
}) => {
  await logIn(page, "/objects?type=11");
  await expect(page.getByRole("button", { name: "Servers by rack" })).toBeVisible();
  await page.getByRole("button", { name: "Sort by Role" }).click();
  await page.getByRole("button", { name: "Servers by rack modified" }).click();
  await page.getByRole("button", { name: "Save as new view" }).click();
  await page.getByLabel("View name").fill("By role");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "By role", exact: true })).toBeVisible();
  await page.goto("/objects?type=11");
  await page.getByRole("button", { name: "Servers by rack" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^By role/ })
    .click();
  await expect(page.getByRole("columnheader", { name: "Role" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await page.getByRole("button", { name: "By role", exact: true }).click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(page.getByText("View By role was deleted.")).toBeVisible();
});

test("a list is searched as people type", async ({ page }) => {
  await logIn(page);
  await page.goto(SERVERS);
  const search = page.getByRole("searchbox", { name: "Search these objects" });
  const count = page.getByText(/^\d+ objects?$/);
  const whole = await count.textContent();
  await search.pressSequentially("ham-hv-02");
  await expect(page.getByRole("row", { name: /ham-db/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /ham-hv-025/ })).toBeVisible();
  await expect(count).not.toHaveText(whole ?? "");
  await expect(search).toHaveValue("ham-hv-02");
  await page
    .getByRole("checkbox", { name: /^Select object/ })
    .first()
    .click();
  // What is done with all that match, would be done with all servers.
  await expect(page.getByRole("button", { name: "Clear selection" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Select all/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expect(search).toHaveValue("ham-hv-02");
  await search.fill("no such server");
  await expect(page.getByText("No objects match these filters.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(count).toHaveText(whole ?? "");
  await expect(search).toHaveValue("");
});

test("a click elsewhere ends the edit of a cell, and keeps the focus", async ({ page }) => {
  await logIn(page, SERVERS);
  await page.getByRole("grid", { name: "Objects" }).locator('[data-cell="2/1"]').dblclick();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ham-kbd-002");
  const search = page.getByRole("searchbox", { name: "Search these objects" });
  await search.click();
  await page.keyboard.type("ham-kbd");
  await expect(page.getByText("Host name was saved.")).toBeVisible();
  await expect(search).toHaveValue("ham-kbd");
  await expect(search).toBeFocused();
});

test("cells are edited by the keyboard alone", async ({ page, console }) => {
  await logIn(page, SERVERS);
  const grid = page.getByRole("grid", { name: "Objects" });
  const cell = (row: number, column: number) => grid.locator(`[data-cell="${row}/${column}"]`);
  await cell(0, 0).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(cell(1, 1)).toBeFocused();
  const before = await cell(1, 1).innerText();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ham-kbd-001");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Host name was saved.")).toBeVisible();
  await expect(cell(1, 1)).toHaveText("ham-kbd-001");
  await expect(cell(1, 1)).toBeFocused();
  await page.keyboard.press("F2");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Not Allowed");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/must match/)).toBeVisible();
  await expect(cell(1, 1)).toHaveText("Not Allowed");
  await page.keyboard.press("F2");
  await page.keyboard.press("Escape");
  await expect(cell(1, 1)).toHaveText("ham-kbd-001");
  expect(before).not.toBe("ham-kbd-001");
  await expectAccessible(page);
  // The browser reports the refused write itself.
  console.length = 0;
});

test("cells are pasted and filled down as one change that can be undone", { tag: "@main" }, async ({
  page,
}) => {
  await logIn(page, SERVERS);
  const grid = page.getByRole("grid", { name: "Objects" });
  const cell = (row: number, column: number) => grid.locator(`[data-cell="${row}/${column}"]`);
  const before = await cell(0, 1).innerText();
  await cell(0, 1).click();
  await grid.evaluate((element) => {
    const data = new DataTransfer();
    data.setData("text/plain", "ham-paste-1\nham-paste-2\n");
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
    element.querySelector('[data-cell="0/1"]')?.dispatchEvent(event);
  });
  await expect(page.getByText("2 objects were changed.")).toBeVisible();
  await expect(cell(1, 1)).toHaveText("ham-paste-2");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cell(0, 1)).toHaveText(before);
  await expect(page.getByText("Undone.")).toBeVisible();
  const role = grid.getByRole("columnheader", { name: "Manufacturer" });
  const column = Number(await role.getAttribute("aria-colindex")) - 2;
  await cell(0, column).click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ControlOrMeta+d");
  await expect(cell(2, column)).toHaveText(await cell(0, column).innerText());
});

test("many objects are changed by a job, checked before, and undone", { tag: "@main" }, async ({
  page,
}) => {
  await logIn(page, "/objects?type=11&sort=public_id");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("button", { name: /Field$/ }).click();
  await page.getByRole("option", { name: "Status" }).click();
  await page.getByRole("button", { name: /Value$/ }).click();
  await page.getByRole("option", { name: /^In repair \(\d+\)/ }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/Status is “In repair”/)).toBeVisible();
  await page
    .getByRole("checkbox", { name: /^Select object/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Select all/ }).click();
  await page.getByRole("toolbar").getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /Action for Manufacturer/ }).click();
  await page.getByRole("option", { name: "Set" }).click();
  await dialog.getByRole("textbox", { name: "Manufacturer" }).fill("Repaired Inc.");
  await dialog.getByRole("button", { name: "Preview changes" }).click();
  await expect(dialog.getByText(/would be changed, 0 would be rejected/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^Change \d+ objects$/ }).click();
  await expect(page.getByText(/Objects changed: \d+\. Rejected: 0\./)).toBeVisible();
  await expect(page.getByText("Repaired Inc.").first()).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  await expect(page.getByText("Repaired Inc.")).toHaveCount(0);
});

test("columns are chosen", async ({ page }) => {
  await logIn(page, SERVERS);
  const head = page.getByRole("columnheader");
  await expect(head.filter({ hasText: "Asset tag" })).toBeVisible();
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const list = page.getByRole("dialog", { name: "Columns" });
  await list.getByText("Asset tag").click();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(head.filter({ hasText: "Asset tag" })).toHaveCount(0);
});

test("a type with 300 fields scrolls sideways, and its columns are found", async ({
  page,
  server,
}) => {
  await logIn(page);
  const label = (index: number) => `Field ${index} ${"long ".repeat(40)}`;
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  const fields = numbers.map((index) => ({ type: "text", name: `f${index}`, label: label(index) }));
  const names = fields.map(({ name }) => name);
  const sections = [{ type: "section", name: "all", label: "All", reference: {}, fields: names }];
  const look = { icon: "fas fa-cube", sections, externals: [], summary: { fields: ["f0"] } };
  const headers = { origin: server.url, "sec-fetch-site": "same-origin" };
  const create = async (path: string, data: object) => {
    const answer = await page.request.post(`${server.url}/rest/${path}`, { data, headers });
    expect(answer.ok()).toBe(true);
    return ((await answer.json()) as { result_id: number }).result_id;
  };
  const acl = { activated: false, groups: { includes: {} } };
  const whole = { name: "wide", label: "Wide", author_id: 1, active: true, version: "1.0.0", acl };
  const type = await create("types", { ...whole, description: "", fields, render_meta: look });
  const values = names.map((name) => ({ name, value: name.repeat(1_000) }));
  await create("objects", { type_id: type, author_id: 1, fields: values });
  await page.goto(`/objects?type=${type}`);
  const grid = page.getByRole("grid", { name: "Objects" });
  await expect(grid.locator('[data-cell="0/1"]')).toContainText("f0f0");
  await grid.locator('[data-cell="0/1"]').click();
  await page.keyboard.press("End");
  await expect(grid.locator('[data-cell="0/39"]')).toBeFocused();
  await expect(grid.locator('[data-cell="0/39"]')).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const chooser = page.getByRole("dialog", { name: "Columns" });
  await chooser.getByLabel("Search columns").fill("field 299");
  await chooser.getByText(/^Field 299/).click();
  await expect(grid.getByRole("columnheader", { name: /Field 299/ })).toHaveCount(1);
  await expectAccessible(page);
});

test("rows that others change or delete show it", async ({ page, server, playwright }) => {
  await logIn(page, SERVERS);
  const grid = page.getByRole("grid", { name: "Objects" });
  await expect(grid.locator('[data-cell="0/0"] a')).toBeVisible();
  const [first, second] = await grid.locator('[data-cell$="/0"]').allInnerTexts();
  const login = { user_name: "birgit.schaefer", password: "stockroom-demo" };
  const other = await playwright.request.newContext();
  const { token } = await (
    await other.post(`${server.url}/rest/auth/login`, { data: login })
  ).json();
  const headers = { authorization: `Bearer ${token}` };
  let change = 0;
  // The feed of changes begins a moment after the table.
  await expect(async () => {
    change += 1;
    const data = { fields: [{ name: "manufacturer", value: `Live Inc. ${change}` }] };
    const changed = await other.patch(`${server.url}/rest/objects/${first}`, { data, headers });
    expect(changed.ok()).toBe(true);
    const row = grid.getByRole("row").filter({ hasText: "Live Inc." });
    await expect(row).toHaveAttribute("title", /^Changed by birgit.schaefer/, { timeout: 2_000 });
  }).toPass();
  const deleted = await other.delete(`${server.url}/rest/objects/${second}`, { headers });
  expect(deleted.ok()).toBe(true);
  await expect(grid.getByRole("link", { name: second ?? "", exact: true })).toHaveCount(0);
  await other.dispose();
});

test("what a table shows is exported: its rows in their order, and its columns", async ({
  page,
}) => {
  const where = '[{"path":"fields.hostname","operator":"contains","value":"ham-hv-00"}]';
  const columns = '["public_id","fields.hostname","fields.rack"]';
  await logIn(page, `/objects?type=11&view=0&columns=${columns}&where=${where}`);
  await expect(page.getByRole("row", { name: /ham-hv-003/ })).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV (formatted values)" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^server-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe("\uFEFFpublic_id,Host name,Rack");
  expect(lines.filter((line) => /^\d+,ham-hv-00\d,/.test(line))).toHaveLength(9);
  expect(lines).toContain("967,ham-hv-005,HAM-R10");
});

test("rows between two selected ones are selected, also those that were never on the screen", async ({
  page,
}) => {
  await logIn(page);
  await page.goto(SERVERS);
  const count = page.getByText(/^\d+ objects$/);
  const total = Number((await count.textContent())?.split(" ")[0]);
  expect(total).toBeGreaterThan(200);
  const marks = page.getByRole("checkbox", { name: /^Select object/ });
  await marks.first().click();
  await page.locator('[data-cell="0/0"]').click();
  await page.keyboard.press("Control+End");
  const last = page.locator(`[role=row][aria-rowindex="${total + 1}"]`);
  await last.getByRole("checkbox").click({ modifiers: ["Shift"] });
  await expect(page.getByRole("toolbar", { name: `${total} selected` })).toBeVisible();
  await page.keyboard.press("Control+Home");
  await expect(marks.first()).toBeChecked();
});

test("what is typed on a cell is its new value", async ({ page }) => {
  await logIn(page);
  await page.goto("/objects?type=11&sort=public_id&columns=%5B%22fields.hostname%22%5D");
  const cell = page.locator('[data-cell="0/0"]');
  await cell.click();
  const before = await cell.innerText();
  await page.keyboard.type("new-name");
  await expect(cell.getByRole("textbox")).toHaveValue("new-name");
  await page.keyboard.press("Escape");
  await expect(cell).toHaveText(before);
  await page.keyboard.type("x1");
  await page.keyboard.press("Enter");
  await expect(cell).toHaveText("x1");
  await expect(page).toHaveURL(/\/objects\?/);
  await expect(cell).toHaveAttribute("data-pending", "false");
  await page.reload();
  await expect(cell).toHaveText("x1");
  await cell.click();
  await page.keyboard.type(before);
  await page.keyboard.press("Enter");
  await expect(cell).toHaveText(before);
});

test("keys take back what was changed in a table, and do it again", { tag: "@main" }, async ({
  page,
}) => {
  await logIn(page, `/objects?type=11&columns=["fields.hostname","fields.manufacturer"]`);
  const cell = page.locator('[data-cell="0/1"]');
  await expect(cell).toHaveText(/[A-Z]/);
  const before = await cell.innerText();
  await cell.click();
  await page.keyboard.type("Abacus");
  // Ctrl-Z follows at once: it means the change that is still on its way.
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByText("Undone.")).toBeVisible();
  await expect(cell).toHaveText(before);
  await cell.focus();
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect(page.getByText("Redone.")).toBeVisible();
  await expect(cell).toHaveText("Abacus");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(cell).toHaveText(before);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByText("Nothing to undo on this page.")).toBeVisible();
  // In a text, the keys are those of the text.
  const search = page.getByRole("searchbox", { name: "Search these objects" });
  await search.pressSequentially("dell");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(search).not.toHaveValue("dell");
});

test("a cell that is edited again while it is saved keeps the last value", async ({ page }) => {
  await logIn(page, `/objects?type=11&columns=["fields.hostname","fields.manufacturer"]`);
  const cell = page.locator('[data-cell="1/1"]');
  await expect(cell).toHaveText(/[A-Z]/);
  const before = await cell.innerText();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/rest\/objects\/\d+$/, async (route) => {
    if (route.request().method() === "PATCH") await held;
    await route.continue();
  });
  const write = async (value: string) => {
    await cell.click();
    await page.keyboard.type(value);
    await page.keyboard.press("Enter");
    await expect(cell).toHaveText(value);
  };
  await write("First");
  await write("Second");
  answer();
  await expect(page.getByText("Manufacturer was saved.")).toHaveCount(2);
  await expect(page.getByText(/someone else changed/)).toHaveCount(0);
  await expect(cell).toHaveText("Second");
  await page.reload();
  await expect(cell).toHaveText("Second");
  await cell.click();
  await page.keyboard.type(before);
  await page.keyboard.press("Enter");
  await expect(cell).toHaveText(before);
});
