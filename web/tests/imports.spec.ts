import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

const NETWORK = 8;
/** So many rows are not checked in a few seconds. */
const LONG = 30_000;
/** One row is fine; the others lack a name, have no such zone and site, and a known key. */
const BROKEN = [
  "Name,VLAN,Range,Zone,Site,Colour",
  "test-1,12,10.9.1.0/24,test,HAM,grey",
  "test-2,many,10.9.2.0/24,tset,HAM,grey",
  ",14,10.9.3.0/24,test,HAM,grey",
  "test-4,15,,test,XXX,grey",
  "test-1,16,10.9.5.0/24,test,HAM,black",
].join("\n");

test("a broken file is repaired in the browser, imported and taken back", async ({ page }) => {
  test.setTimeout(120_000);
  await logIn(page, `/objects?type=${NETWORK}`);
  await page.getByRole("button", { name: "Import rows into IP network" }).click();
  await expect(page.getByRole("heading", { name: "Import rows into IP network" })).toBeVisible();
  await expectAccessible(page);
  await upload(page, "networks.csv", BROKEN);

  await expect(page.getByRole("heading", { name: "networks.csv" })).toBeVisible();
  await expect(page.getByText("CSV · Comma · UTF-8 · 5 rows")).toBeVisible();
  await expect(goal(page, "Range")).toContainText("Range");
  await expect(goal(page, "Colour")).toContainText("Not imported");
  await expect(page.getByText("The column Colour is not imported.")).toBeVisible();
  await expect(
    page.getByText("Not valid for this field type, so imported as text: many"),
  ).toBeVisible();
  await choose(page, "Site: match objects by", "Code");
  await page
    .getByRole("group", { name: "Match existing objects" })
    .getByText("Name", { exact: true })
    .click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Check all rows" }).click();

  await expect(page.getByText("4 rows are rejected. Fix them here:")).toBeVisible();
  await expect(filter(page, "New 1")).toBeVisible();
  await expect(filter(page, "Rejected 3")).toBeChecked();
  await expect(cell(page, "Zone", 3)).toHaveAccessibleDescription(/must be one of production/);
  await expect(cell(page, "Name", 4)).toHaveAccessibleDescription(/empty/);
  await expect(cell(page, "Site", 5)).toHaveAccessibleDescription(/no object/);
  await expect(cell(page, "Colour", 5)).toHaveCount(0);
  await expectAccessible(page);
  await cell(page, "VLAN", 3).fill("13");
  await cell(page, "Zone", 3).fill("test");
  // Enter goes down the column.
  await cell(page, "Zone", 3).press("Enter");
  await expect(cell(page, "Zone", 4)).toBeFocused();
  await cell(page, "Name", 4).fill("test-3");
  await cell(page, "Site", 5).fill("ZRH");
  await filter(page, "Duplicate 1").click();
  await expect(page.getByRole("row", { name: /has the same key as row 2/ })).toBeVisible();
  await cell(page, "Name", 6).fill("test-5");
  await expect(page.getByText("5 cells were changed.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save and check again" }).click();

  // What is required is found once the references are right.
  await expect(page.getByText("1 row is rejected. Fix it here:")).toBeVisible();
  await expect(cell(page, "Range", 5)).toHaveAccessibleDescription(/required/);
  await cell(page, "Range", 5).fill("10.9.4.0/24");
  await page.getByRole("button", { name: "Save and check again" }).click();
  await expect(page.getByText("No rows are rejected.")).toBeVisible();

  await page.getByRole("button", { name: "Import 5 rows" }).click();
  await expect(page.getByRole("heading", { name: "Import finished" })).toBeVisible();
  await expect(page.getByText("Objects created: 5. Objects changed: 0.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show objects: IP network" }).click();
  expect(await testNetworks(page)).toHaveLength(5);

  await page.getByRole("link", { name: "Imports" }).click();
  const listed = page.getByRole("row").filter({ hasText: "networks.csv" });
  await expect(listed).toContainText("Imported");
  await expect(listed).toContainText("5 New");
  await expectAccessible(page);
  await listed.getByRole("link", { name: "networks.csv" }).click();
  await page.getByRole("button", { name: "Undo import" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo import" });
  await dialog.getByRole("button", { name: "Undo import" }).click();
  await expect(page.getByRole("heading", { name: "Import undone" })).toBeVisible();
  await expectAccessible(page);
  expect(await testNetworks(page)).toEqual([]);
});

test("rows refused by an import are repaired afterwards, and only they run again", async ({
  page,
}) => {
  await logIn(page, `/imports/new?type=${NETWORK}`);
  const rows = "Name,Range,Zone\nlate-1,10.8.1.0/24,test\nlate-2,10.8.2.0/24,tset";
  await page.getByLabel("Copied rows").fill(rows);
  await page.getByRole("button", { name: "Import copied rows" }).click();
  await page.getByRole("button", { name: "Check all rows" }).click();
  await expect(page.getByText("1 row is rejected. Fix it here:")).toBeVisible();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await expect(page.getByText("Objects created: 1.")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rejected rows" }).click();
  expect((await download).suggestedFilename()).toBe("Copied rows-failed.csv");
  await cell(page, "Zone", 3).fill("test");
  await page.getByRole("button", { name: "Save and import these rows again" }).click();
  await expect(page.getByText("Objects created: 2.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download rejected rows" })).toHaveCount(0);
});

test("pasted rows become a type of their own and its objects", async ({ page }) => {
  await logIn(page, "/imports");
  await page.getByRole("link", { name: "Import file" }).click();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true }),
    );
  }, "Plate\tSeats\nHH-AB 12\t5\nHH-CD 34\t7");
  await expect(page.getByLabel("Copied rows")).toHaveValue(/HH-CD/);
  await page.getByRole("button", { name: "Import copied rows" }).click();
  await expect(page.getByText("CSV · Tab · UTF-8 · 2 rows")).toBeVisible();
  await page.getByRole("button", { name: "Create a new type from this file" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a new type from this file" });
  await dialog.getByLabel(/^Label/).fill("Car");
  await dialog.getByLabel(/^API name/).fill("car");
  await expect(dialog.getByRole("button", { name: /Field type of Seats/ })).toContainText("Number");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create type" }).click();
  await expect(goal(page, "Plate")).toContainText("Plate");
  await page.getByRole("button", { name: "Check all rows" }).click();
  await expect(page.getByText("No rows are rejected.")).toBeVisible();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByRole("link", { name: "Show objects: Car" }).click();
  await expect(page.getByRole("grid", { name: "Objects" })).toContainText("HH-CD 34");

  await page.goto("/imports");
  await page.getByRole("button", { name: "Delete the import of Copied rows.csv" }).first().click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: "Delete import", exact: true })
    .click();
  await expect(page.getByText("The import of Copied rows.csv was deleted.")).toBeVisible();
});

test("types, categories and groups of a file are shown, then made and changed", async ({
  page,
}) => {
  await logIn(page, "/imports/new");
  const types = await page.request.get(`/rest/types/?limit=0`);
  const known = ((await types.json()) as { results: { public_id: number }[] }).results;
  const network = known.find(({ public_id }) => public_id === NETWORK);
  const shelf = { public_id: 900, name: "shelf", fields: [] };
  const records = { types: [network, shelf], groups: [{ name: "user", label: "Everybody" }] };
  await upload(page, "records.json", JSON.stringify(records));

  await expect(page.getByRole("heading", { name: "Preview of the import" })).toBeVisible();
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect(row("shelf")).toContainText("New");
  await expect(row("user")).toContainText("Changed");
  await expect(page.getByRole("row", { name: /Unchanged/ })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import 2 records" }).click();
  await expect(page.getByRole("heading", { name: "Records imported" })).toBeVisible();
  const groups = (await (await page.request.get("/rest/groups/2")).json()) as {
    result: { label: string };
  };
  expect(groups.result.label).toBe("Everybody");
  await page.getByRole("button", { name: "Import another file" }).click();
  await expect(page.getByRole("button", { name: "Choose file" })).toBeVisible();
});

test("a file is read again with other options", async ({ page }) => {
  await logIn(page, `/imports/new?type=${NETWORK}`);
  await upload(page, "plain.csv", "net-1;42\nnet-2;42");
  await expect(page.getByText("CSV · Semicolon · UTF-8 · 1 row", { exact: true })).toBeVisible();
  await page.getByText("File options").click();
  await page.getByText("The file has a header row").click();
  await page.getByRole("button", { name: "Read file again" }).click();
  await expect(page.getByText("no header row · 2 rows")).toBeVisible();
  await expect(goal(page, "column 1")).toContainText("Not imported");
});

test("a long check goes on while its page is left, and can be cancelled", async ({ page }) => {
  await logIn(page, `/imports/new?type=${NETWORK}`);
  const rows = Array.from({ length: LONG }, (_, row) => `long-${row},10.7.0.0/24,test`);
  await upload(page, "long.csv", ["Name,Range,Zone", ...rows].join("\n"));
  await page.getByRole("button", { name: "Check all rows" }).click();
  await expect(page.getByRole("progressbar", { name: "Checking the rows" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Imports" }).first().click();
  const listed = page.getByRole("row").filter({ hasText: "long.csv" });
  await expect(listed).toContainText("Checking");
  await listed.getByRole("link", { name: "long.csv" }).click();
  await expect(page.getByText(/rows per second/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "The check was cancelled" })).toBeVisible();
  await expect(page.getByText(/rows were not processed/)).toBeVisible();
});

test("who may not import sees no import", async ({ page }) => {
  await logIn(page, `/objects?type=${NETWORK}`, {
    name: "birgit.schaefer",
    password: "stockroom-demo",
  });
  await expect(page.getByRole("grid", { name: "Objects" })).toBeVisible();
  await expect(page.getByRole("button", { name: "New object", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Import/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Imports" })).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Search for anything/).fill("import");
  await expect(page.getByRole("menuitem", { name: /import/i })).toHaveCount(0);
  await page.goto("/imports");
  await expect(page.getByText("You do not have permission to import objects.")).toBeVisible();
});

/** The names that the test has imported, as the server knows them. */
async function testNetworks(page: Page): Promise<string[]> {
  const filter = encodeURIComponent(JSON.stringify({ type_id: NETWORK }));
  const answer = await page.request.get(`/rest/objects?limit=0&filter=${filter}`);
  const { results } = (await answer.json()) as {
    results: { fields: { name: string; value: unknown }[] }[];
  };
  const names = results.map(({ fields }) => fields.find(({ name }) => name === "name")?.value);
  return names.map(String).filter((name) => name.startsWith("test-"));
}

async function upload(page: Page, name: string, text: string) {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator('input[type="file"]').setInputFiles(file);
}

function goal(page: Page, column: string) {
  return page.getByRole("button", { name: `Target field of ${column}` });
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole("button", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

function filter(page: Page, name: string) {
  return page.getByRole("radio", { name });
}

function cell(page: Page, column: string, row: number) {
  return page.getByRole("textbox", { name: `${column}, row ${row}`, exact: true });
}
