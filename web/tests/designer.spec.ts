import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { createType } from "./records";
import { expect, expectAccessible, logIn, test } from "./server";

const SERVER = 11;
const SOFTWARE_LICENCE = 13;
const FAX_MACHINE = 17;

const palette = (page: Page) => page.getByRole("grid", { name: "Field types" });
const section = (page: Page, label: string) =>
  page.getByRole("region", { name: "Sections and fields" }).getByRole("grid", { name: label });
const field = (page: Page, label: string) =>
  page.getByRole("region", { name: "Sections and fields" }).getByRole("row", { name: label });
const properties = (page: Page) => page.getByRole("complementary", { name: "Properties" });
const typeLabel = (page: Page) => page.getByRole("main").getByLabel("Label", { exact: true });

async function typeOf(page: Page, id: number) {
  const answer = await page.request.get(`/rest/types/${id}`);
  return (await answer.json()).result;
}

async function save(page: Page, said: string) {
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(page.getByText(said)).toBeVisible();
}

test("the mouse makes a type with three kinds in two sections", async ({ page }) => {
  await logIn(page, "/types");
  await button(page, "New type").click();
  await typeLabel(page).first().fill("Coffee machine");
  await expect(page.getByLabel("API name")).toHaveValue("coffee-machine");
  await palette(page).getByRole("row", { name: "Text", exact: true }).click();
  await properties(page).getByLabel("Label").fill("Größe");
  await expect(properties(page).getByLabel("API name")).toHaveValue("groesse");
  await page.getByRole("button", { name: "Add section" }).click();
  const added = section(page, "New section");
  await palette(page).getByRole("row", { name: "Select", exact: true }).dragTo(added);
  await expect(added.getByRole("row", { name: "Select" })).toBeVisible();
  await properties(page).getByRole("button", { name: "Add option" }).click();
  await properties(page).getByLabel("Label of option 1").fill("Espresso");
  await expect(properties(page).getByLabel("Name of option 1")).toHaveValue("espresso");
  await palette(page).getByRole("row", { name: "Date", exact: true }).click();
  await expect(added.getByRole("row", { name: "Date" })).toBeVisible();
  await field(page, "Größe").dragTo(added.getByRole("row", { name: "Date" }));
  await expect(added.getByRole("row", { name: "Größe" })).toBeVisible();
  await expectAccessible(page);
  await save(page, "Type Coffee machine was created.");
  await expect(page).toHaveURL(/\/types\/\d+$/);
  const stored = await typeOf(page, Number(page.url().split("/").at(-1)));
  const sections = stored.render_meta.sections as { fields: string[] }[];
  expect(sections.map(({ fields }) => fields.length)).toEqual([0, 3]);
  expect(stored.fields[1].options).toEqual([{ label: "Espresso", name: "espresso" }]);
  await page.getByRole("tab", { name: "Preview" }).click();
  await expect(page.getByRole("tabpanel").getByLabel("Größe")).toBeVisible();
});

function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

test("keys alone make a type", async ({ page }) => {
  await logIn(page, "/types");
  await expect(page.getByRole("heading", { name: "Types" })).toBeVisible();
  await page.keyboard.press("n");
  await expect(typeLabel(page).first()).toBeFocused();
  await page.keyboard.type("Plant");
  await tabTo(page, palette(page).getByRole("row", { name: "Text", exact: true }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(palette(page).getByRole("row", { name: "Number" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, field(page, "Number"));
  await expect(field(page, "Number")).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(field(page, "Number")).toBeFocused();
  await expect(page.getByText("Number: General, position 1")).toBeAttached();
  await expect(section(page, "General").getByRole("row").first()).toContainText("Number");
  await tabTo(page, button(page, "Add section"));
  await page.keyboard.press("Enter");
  await tabTo(page, field(page, "Number"), "Shift+Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(section(page, "New section").getByRole("row", { name: "Text" })).toBeFocused();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Type Plant was created.")).toBeVisible();
  await expect(page).toHaveURL(/\/types\/\d+$/);
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, goal: Locator, key = "Tab") {
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press(key);
    if (await goal.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(goal).toBeFocused();
}

test("a stored pattern that takes for ever holds nobody up who looks at it", async ({ page }) => {
  await logIn(page);
  const text = { type: "text", regex: "(a+)+b", placeholder: "a".repeat(40) };
  const id = await createType(page, "slow-pattern", { name: text });
  await page.goto(`/types/${id}`);
  await field(page, "name").click();
  await expect(properties(page).getByLabel("Pattern", { exact: true })).toHaveValue("(a+)+b");
  await properties(page).getByLabel("Label").fill("Still here", { timeout: 5_000 });
});

test("a pattern can be tried, and a refused one is said at its field", async ({
  page,
  console,
}) => {
  await logIn(page, `/types/${SERVER}`);
  await field(page, "Host name").click();
  const panel = properties(page);
  await panel.getByLabel("Test the pattern").fill("ham-hv-001");
  await expect(panel.getByText("The whole text matches.")).toBeVisible();
  await panel.getByLabel("Test the pattern").fill("Ham");
  await expect(panel.getByText("The text does not match.")).toBeVisible();
  await panel.getByLabel("Pattern", { exact: true }).fill("((");
  await expect(panel.getByText("The browser cannot check this pattern.")).toBeVisible();
  await page.getByRole("button", { name: "Preview changes" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("/fields/0/regex");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Undo last step" }).click();
  await expect(panel.getByLabel("Pattern", { exact: true })).toHaveValue("[a-z][a-z0-9-]{1,62}");
  await expect(button(page, "Save")).toBeDisabled();
  // The browser reports the refused request itself.
  console.length = 0;
});

test("a removed field is previewed, saved and taken back", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  await field(page, "Notes").click();
  await page.keyboard.press("Delete");
  await expect(field(page, "Notes")).toHaveCount(0);
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog", { name: "Effects on objects" });
  await expect(dialog).toContainText("There are 384 objects of this type.");
  await expect(dialog).toContainText("Notes: the field is removed.");
  await expect(dialog).toContainText(/the field "Notes" \(notes\) goes/);
  await dialog
    .getByText(/^\d+ objects$/)
    .first()
    .click();
  await expect(dialog.getByRole("link").first()).toHaveAttribute("href", /\/objects\/\d+$/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Type Server was saved.")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  await expect(field(page, "Notes")).toBeVisible();
});

test("keys undo the steps of a draft, and do them again", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  await field(page, "Notes").click();
  await page.keyboard.press("Delete");
  await expect(field(page, "Notes")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(field(page, "Notes")).toBeVisible();
  await expect(button(page, "Save")).toBeDisabled();
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect(field(page, "Notes")).toHaveCount(0);
  await button(page, "Undo last step").click();
  await expect(field(page, "Notes")).toBeVisible();
  await button(page, "Redo step").click();
  await expect(field(page, "Notes")).toHaveCount(0);
  await button(page, "Undo last step").click();
});

test("a text becomes a choice of the values that it has", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  const become = async (name: string) => {
    await field(page, name).click();
    await properties(page).getByRole("button", { name: /^Text/ }).click();
    await page.getByRole("option", { name: "Select", exact: true }).click();
  };
  await become("Manufacturer");
  await expect(page.getByText("5 options were created from the existing values")).toBeVisible();
  await expect(properties(page).getByLabel("Name of option 1")).toHaveValue("Dell");
  await expect(properties(page).getByLabel("Label of option 5")).toHaveValue("Supermicro");
  await expectAccessible(page);
  await button(page, "Undo last step").click();
  await expect(properties(page).getByRole("button", { name: /^Text/ })).toBeVisible();
  await expect(button(page, "Save")).toBeDisabled();

  await become("Host name");
  await expect(page.getByText("No options were created")).toBeVisible();
  await button(page, "Save").click();
  await expect(page.getByText("These fields have no options: Host name")).toBeVisible();
  await expect(properties(page).getByText("Add an option.", { exact: true })).toBeVisible();
  await expect(page.getByText("Effects on objects")).toHaveCount(0);
  await button(page, "Undo last step").click();
});

test("objects are cleaned after a look at what changes, and back by undo", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  const unclean = async () => {
    const found = await page.request.get(`/rest/objects/clean/${SERVER}?limit=1`);
    return ((await found.json()) as { total: number }).total;
  };
  const before = await unclean();
  expect(before).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Clean up objects" }).click();
  const dialog = page.getByRole("dialog", { name: "Clean up the objects of Server?" });
  await expect(dialog).toContainText(`${before} objects do not match their type`);
  await expect(dialog.getByRole("heading", { name: /^Fields to/ }).first()).toBeVisible();
  await expect(dialog.getByRole("link")).toHaveCount(before);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Clean up objects", exact: true }).click();
  await expect(page.getByText(`${before} objects were cleaned up.`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Clean up objects" })).toHaveCount(0);
  expect(await unclean()).toBe(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect(await unclean()).toBe(before);
});

test("a renamed field takes its values along", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  await field(page, "Asset tag").click();
  const name = properties(page).getByLabel("API name");
  await name.fill("inventory-number");
  await expect(properties(page)).toContainText(
    "Existing values of asset-tag move to the new name.",
  );
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog", { name: "Effects on objects" });
  await expect(dialog).toContainText("Asset tag: the API name becomes inventory-number.");
  await expect(dialog).toContainText("asset-tag → inventory-number: 384 objects");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The values of 384 objects move, and move back.
  await expect(page.getByText("Type Server was saved.")).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone.")).toBeVisible({ timeout: 30_000 });
});

test("the name of a stored option stays when its label changes", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  await field(page, "Status").click();
  const options = properties(page).getByRole("group", { name: "Options" });
  await options.getByLabel("Label of option 1").fill("In service");
  await expect(options.getByLabel("Name of option 1")).toHaveValue("in-use");
  await options.getByRole("button", { name: "Add option" }).click();
  await options.getByLabel("Label of option 5").fill("On loan");
  await expect(options.getByLabel("Name of option 5")).toHaveValue("on-loan");
  await expect(button(page, "Save")).toBeEnabled();
});

test("what somebody else saved meanwhile is not lost", async ({ page, server, console }) => {
  await logIn(page, `/types/${SOFTWARE_LICENCE}`);
  await typeLabel(page).first().fill("Licence");
  const other = await page.request.patch(`/rest/types/${SOFTWARE_LICENCE}`, {
    data: { description: "changed by a program" },
    headers: { origin: server.url, "sec-fetch-site": "same-origin" },
  });
  expect(other.ok()).toBe(true);
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog", { name: "The type was changed in the meantime" });
  await expect(dialog).toContainText("admin saved this type");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Reload" }).click();
  await expect(typeLabel(page).first()).toHaveValue("Software licence");
  await page.getByRole("tab", { name: "Appearance" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("changed by a program");
  console.length = 0;
});

test("a draft is not left without a question", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`);
  await typeLabel(page).first().fill("Machine");
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("link", { name: "384 objects" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard changes?" });
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(typeLabel(page).first()).toHaveValue("Machine");
  await page.getByRole("link", { name: "384 objects" }).click();
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("heading", { name: "Server" })).toBeVisible();
  await page.getByRole("link", { name: "Edit type" }).click();
  await expect(typeLabel(page).first()).toHaveValue("Server");
});

test("access is granted by groups", async ({ page }) => {
  await logIn(page, `/types/${SOFTWARE_LICENCE}?tab=access`);
  await page.getByRole("checkbox", { name: "Read: Auditors" }).click({ force: true });
  await page.getByRole("checkbox", { name: "Read: Administrator" }).click({ force: true });
  await expect(page.getByRole("alert")).toContainText("Your own group has no read access.");
  await page.getByRole("checkbox", { name: "Read: Administrator" }).click({ force: true });
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expectAccessible(page);
  const before = (await typeOf(page, SOFTWARE_LICENCE)).acl.groups.includes;
  await save(page, "was saved.");
  const after = (await typeOf(page, SOFTWARE_LICENCE)).acl.groups.includes;
  const added = Object.keys(after).filter((group) => !(group in before));
  expect(added.map((group) => after[group])).toEqual([["READ"]]);
});

test("an access list begins with who has access, and names who loses it", async ({ page }) => {
  await logIn(page, `/types/${SERVER}?tab=access`);
  const restrict = page.getByRole("checkbox", { name: "Restrict access to objects" });
  await expect(restrict).toBeEnabled();
  await restrict.click({ force: true });
  await expect(page.getByRole("checkbox", { name: "Delete: Administrator" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Read: Auditors" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Update: Auditors" })).not.toBeChecked();
  await expect(page.getByText("Your own group has no read access.")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Read: Auditors" }).click({ force: true });
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog", { name: "Effects on objects" });
  await expect(dialog.getByText("Groups that lose access")).toBeVisible();
  await expect(dialog).toContainText("Auditors: Read");
  await expect(dialog).not.toContainText("Administrator");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Back" }).click();
  await button(page, "Undo last step").click();
  await button(page, "Undo last step").click();
  await expect(button(page, "Save")).toBeDisabled();
});

test("a type is looked after: icon, summary, links", async ({ page }) => {
  await logIn(page, `/types/${FAX_MACHINE}?tab=look`);
  await page.getByRole("option", { name: "phone", exact: true }).click();
  await expect(page.getByLabel("Icon name")).toHaveValue("fas fa-phone");
  const summary = page.getByRole("group", { name: "Summary" });
  const before = await summary.getByRole("listitem").count();
  const more = summary.getByRole("combobox");
  // Lists close when the page scrolls, so that has to be over.
  await more.scrollIntoViewIfNeeded();
  await expect(more).toBeInViewport();
  await more.click();
  await expect(more).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(summary.getByRole("listitem")).toHaveCount(before + 1);
  await page.getByRole("button", { name: "Add link" }).click();
  const link = page.getByRole("group", { name: "Link 1" });
  await link.getByLabel("URL", { exact: true }).fill("https://fax.example.org/{}");
  await link.getByLabel("Label").fill("Fax server");
  await expect(page.getByRole("group", { name: "Fax server" })).toBeVisible();
  await expectAccessible(page);
  await save(page, "was saved.");
  const { externals, icon } = (await typeOf(page, FAX_MACHINE)).render_meta;
  expect(icon).toBe("fas fa-phone");
  expect(externals[0]).toMatchObject({ name: "fax-server", href: "https://fax.example.org/{}" });
});

test("a type goes out as JSON and comes in again", async ({ page }) => {
  await logIn(page, "/types/15");
  await expect(typeLabel(page).first()).toHaveValue("Monitor");
  await page.getByRole("tab", { name: "JSON" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("tabpanel").getByRole("button", { name: "Download JSON" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("monitor.json");
  const type = JSON.parse(await readFile(await download.path(), "utf8"));
  await page.getByLabel("Type as JSON").fill("{]");
  await button(page, "Apply to draft").click();
  await expect(page.getByText("Invalid JSON")).toBeVisible();
  await page.getByLabel("Type as JSON").fill(JSON.stringify({ ...type, label: "Screen" }));
  await button(page, "Apply to draft").click();
  await expect(typeLabel(page).first()).toHaveValue("Screen");
  await page.getByRole("button", { name: "Undo last step" }).click();
  await page.goto("/types?open=import");
  const dialog = page.getByRole("dialog", { name: "Import types" });
  await dialog.getByLabel("JSON", { exact: true }).fill('{"name": 1}');
  await expect(dialog.getByText("A type must be an object with a name")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles({
    name: "projector.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ ...type, name: "projector", label: "Projector" })),
  });
  await expect(dialog.getByText("Types: Projector")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Import types" }).click();
  await expect(page.getByText("Imported: Projector.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Projector" }).click();
  await expect(field(page, "Asset tag")).toBeVisible();
});

test("who may not change types sees a sample", async ({ page }) => {
  await logIn(page, `/types/${SERVER}`, { name: "rene.mueller", password: "stockroom-demo" });
  await expect(page.getByText("You do not have permission to change this type.")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Preview", "JSON"]);
  await expect(button(page, "Save")).toHaveCount(0);
  await expect(page.getByRole("tabpanel").getByLabel("Host name")).toBeVisible();
  await expectAccessible(page);
});

test("a phone shows the properties of a field in a sheet", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await logIn(page);
  await page.evaluate(() => localStorage.setItem("stockroom.language", "de"));
  await page.goto(`/types/${SERVER}`);
  await page.getByRole("row", { name: "Host name" }).click();
  const sheet = page.getByRole("complementary", { name: "Eigenschaften" });
  await expect(sheet.getByLabel("Muster", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Schließen" }).click();
  await expect(sheet).toBeHidden();
});
