import type { Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

/** Changes fields of an object as another client does. */
function changer(page: Page, url: string, id: number) {
  return async (...fields: [name: string, value: unknown][]) => {
    const answer = await page.request.patch(`${url}/rest/objects/${id}`, {
      data: { fields: fields.map(([name, value]) => ({ name, value })) },
      headers: { origin: url, "sec-fetch-site": "same-origin" },
    });
    expect(answer.ok()).toBe(true);
  };
}

/** The change that led to a revision. */
const entry = (page: Page, revision: number) =>
  page.getByRole("listitem").filter({ hasText: new RegExp(`Revision ${revision} `) });

async function setDark(page: Page) {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
}

test("one value is restored, and undo takes that back", { tag: "@main" }, async ({
  page,
  server,
}) => {
  await logIn(page, "/objects/320");
  const change = changer(page, server.url, 320);
  await change(["job-title", "Courier"]);
  await change(["job-title", "Baker"], ["phone", "+49 40 5550 999"]);
  await page.goto("/objects/320?tab=history");
  await entry(page, 3).getByRole("button", { name: "Restore Job title: Courier" }).click();
  await expect(page.getByText("Job title was restored to revision 2.")).toBeVisible();
  await expect(entry(page, 4)).toContainText("Current");
  await expect(entry(page, 4)).toContainText("restored");
  // What the field has now is not offered.
  await expect(entry(page, 2).getByRole("button", { name: /Job title: Courier/ })).toHaveCount(0);
  await expectAccessible(page);
  await setDark(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByText("Baker")).toBeVisible();
});

test("a revision is restored over later changes only if somebody insists", {
  tag: "@main",
}, async ({ page, server, console }) => {
  await logIn(page, "/objects/321");
  const change = changer(page, server.url, 321);
  await change(["job-title", "Courier"]);
  await change(["job-title", "Baker"]);
  await change(["phone", "+49 40 5550 998"]);
  await page.goto("/objects/321?tab=history");
  await entry(page, 1).getByRole("button", { name: "Restore revision" }).click();
  const dialog = page.getByRole("dialog", { name: "Later changes would be lost" });
  await expect(dialog).toContainText("+49 40 5550 998");
  await expect(dialog).toContainText("Baker");
  await expect(dialog).toContainText("admin");
  await expectAccessible(page);
  await setDark(page);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await entry(page, 1).getByRole("button", { name: "Restore revision" }).click();
  await dialog.getByRole("button", { name: "Restore anyway" }).click();
  await expect(page.getByText(/was restored to revision 1/)).toBeVisible();
  await expect(entry(page, 5)).toContainText("Current");
  // The browser reports the refused restorations itself.
  console.length = 0;
});

test("older changes are loaded when somebody asks for them", async ({ page, server }) => {
  await logIn(page, "/objects/327");
  const change = changer(page, server.url, 327);
  for (let count = 1; count <= 26; count += 1) await change(["job-title", `Title ${count}`]);
  await page.goto("/objects/327?tab=history");
  await expect(entry(page, 27)).toContainText("Current");
  await expect(entry(page, 1)).toHaveCount(0);
  await page.getByRole("button", { name: "Load older changes" }).click();
  await expect(entry(page, 1)).toContainText("created");
  await entry(page, 1).getByRole("button", { name: "Initial values" }).click();
  await expect(entry(page, 1)).toContainText("Personnel number");
  await expect(page.getByRole("button", { name: "Load older changes" })).toHaveCount(0);
});

test("a whole request is undone after a question", async ({ page, server }) => {
  await logIn(page, "/objects/322");
  await changer(page, server.url, 322)(["job-title", "Courier"]);
  await page.goto("/objects/322?tab=history");
  await entry(page, 2).getByRole("button", { name: "Undo whole request" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 object restored");
  await dialog.getByRole("button", { name: "Undo request" }).click();
  await expect(page.getByText("The request was undone.")).toBeVisible();
  await expect(entry(page, 3)).toContainText("Current");
});

test("a revision is shown as it was, change by change, and back to now", async ({
  page,
  server,
}) => {
  await logIn(page, "/objects/323");
  const change = changer(page, server.url, 323);
  await change(["job-title", "Courier"]);
  await change(["job-title", "Baker"]);
  await page.goto("/objects/323?tab=history");
  await entry(page, 2).getByRole("link", { name: "Show revision" }).click();
  await expect(page).toHaveURL(/revision=2/);
  await expect(page.getByText("State as of revision 2")).toBeVisible();
  await expect(page.getByText("Courier")).toBeVisible();
  // The past cannot be edited.
  await expect(page.getByRole("button", { name: /Edit/ })).toHaveCount(0);
  await expectAccessible(page);
  await setDark(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Next change" }).click();
  await expect(page).toHaveURL(/revision=3/);
  await expect(page.getByText("Baker")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next change" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Previous change" })).toBeEnabled();
  await page.keyboard.press("[");
  await expect(page.getByText("Courier")).toBeVisible();
  await page.getByRole("button", { name: "Back to current version" }).click();
  await expect(page).toHaveURL(/\/objects\/323$/);
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeVisible();
});

test("the whole page shows a time in the past", async ({ page, server, console }) => {
  await logIn(page, "/objects/10?tab=references");
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  const history = await page.request.get(`${server.url}/rest/objects/10/history`);
  const { results } = (await history.json()) as { results: { at: string }[] };
  const then = results[0]?.at ?? "";
  await changer(page, server.url, 10)(["name", "HAM-R99"], ["row", "Z"]);
  await page.goto("/objects/10?tab=history");
  const field = page.getByLabel("Show state as of");
  await field.fill("2999-01-01T00:00:00");
  await page.getByRole("button", { name: "Show state", exact: true }).click();
  await expect(page.getByText("Choose a time in the past.")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/objects/10?tab=references&as_of=${then}`);
  await expect(page.getByText(/^State as of/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByRole("link", { name: /Data hall 1/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Referenced by/ })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Graph" })).toHaveCount(0);
  await page.getByRole("button", { name: "Next change" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("HAM-R99");
  await page.goto(`/objects/10?tab=history&as_of=${then}`);
  await field.fill("2020-01-01T00:00:00");
  await page.getByRole("button", { name: "Show state", exact: true }).click();
  await expect(page.getByText(/^The object did not exist at this time/)).toBeVisible();
  await page.getByRole("button", { name: "Back to current version" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("HAM-R99");
  // The browser reports itself that there was no object then.
  console.length = 0;
});

test("an object is shown as it was weeks ago, before its last edit", async ({ page }) => {
  await logIn(page);
  const filter = JSON.stringify({ resource: "object", action: "update", via: "service" });
  const log = await page.request.get("/rest/history", { params: { filter, limit: 1_000 } });
  const { results } = (await log.json()) as { results: { public_id: number; at: string }[] };
  const oldest = results.at(-1);
  const at = new Date(`${oldest?.at}Z`).getTime();
  const days = (Date.now() - at) / 86_400_000;
  expect(days).toBeGreaterThan(14);
  const then = new Date(at - 60_000).toISOString().replace("Z", "");
  await page.goto(`/objects/${oldest?.public_id}?as_of=${then}`);
  await expect(page.getByText(/^State as of/)).toBeVisible();
  await expect(page.getByText(/did not exist at this time/)).toHaveCount(0);
  const banner = page.getByRole("status").filter({ hasText: "State as of" });
  await expect(banner).toContainText("Revision 1");
  await page.getByRole("button", { name: "Next change" }).click();
  await expect(banner).toContainText("Revision 2");
});

test("a deleted object shows its history and comes back", { tag: "@main" }, async ({
  page,
  console,
}) => {
  await logIn(page, "/objects/324");
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  // An object refers to it, and may keep that.
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(/was deleted/)).toBeVisible();
  await page.goto("/objects/324");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name} was deleted`);
  await expectAccessible(page);
  await setDark(page);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Show revision" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.getByRole("button", { name: "Back to current version" }).click();
  await page.getByRole("button", { name: "Restore object" }).click();
  await expect(page.getByText(`${name} was restored.`)).toBeVisible();
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
  // The browser reports the answers for the deleted object itself.
  console.length = 0;
});

test("a phone shows the past in German", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logIn(page, "/objects/325");
  await changer(page, server.url, 325)(["job-title", "Courier"]);
  await page.evaluate(() => localStorage.setItem("stockroom.language", "de"));
  for (const path of ["/objects/325?tab=history", "/objects/325?revision=1"]) {
    await page.goto(path);
    await expect(page.getByText(path.includes("tab") ? "Aktuell" : /^Stand der/)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  }
});

test("who may not see the history, or not restore, is not offered it", async ({
  page,
  browser,
  server,
}) => {
  await logIn(page, "/objects/326?tab=history");
  await changer(page, server.url, 326)(["job-title", "Courier"]);
  const as = async (name: string) => {
    const context = await browser.newContext({ baseURL: server.url, locale: "en-GB" });
    const other = await context.newPage();
    await logIn(other, "/objects/326?tab=history", { name, password: "stockroom-demo" });
    return other;
  };
  const desk = await as("joao.conceicao");
  await expect(desk.getByText("Courier")).toBeVisible();
  await expect(desk.getByRole("tab", { name: "History" })).toHaveCount(0);
  const auditor = await as("layla.haddad");
  await expect(entry(auditor, 1).getByRole("link", { name: "Show revision" })).toBeVisible();
  await expect(auditor.getByRole("button", { name: /^(Restore|Undo)/ })).toHaveCount(0);
});

test("a deletion names what refers to the object, and clears it if asked", async ({ page }) => {
  await logIn(page, "/objects/11");
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(dialog.getByText(/objects? refers? to it/)).toBeVisible();
  const referrer = dialog.getByRole("listitem").getByRole("link").first();
  const address = await referrer.getAttribute("href");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByText("Clear references", { exact: true }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${name} was deleted.`)).toBeVisible();
  await page.goto(address ?? "");
  await expect(page.getByText("deleted or not visible")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("what referred to a deleted object points to another one, with one undo", {
  tag: "@main",
}, async ({ page }) => {
  // What stands in a room is to stand in another one.
  await logIn(page, "/objects/12");
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  const referrers = async (id: number) => {
    const found = await page.request.get(`/rest/objects/${id}/references?limit=1`);
    return ((await found.json()) as { total: number }).total;
  };
  const before = await referrers(12);
  expect(before).toBeGreaterThan(0);
  const others = await referrers(20);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await dialog.getByText("Move references to another object").click();
  const remove = dialog.getByRole("button", { name: "Delete" });
  await expect(remove).toBeDisabled();
  const target = dialog.getByRole("combobox", { name: "Other object" });
  await target.fill("12");
  await page.getByRole("option", { name: /#12$/ }).click();
  await expect(dialog.getByText("This object is being deleted.")).toBeVisible();
  await expect(remove).toBeDisabled();
  await target.fill("20");
  await page.getByRole("option", { name: /#20$/ }).click();
  await expectAccessible(page);
  await remove.click();
  await expect(page.getByText(`${name} was deleted.`)).toBeVisible();
  expect(await referrers(20)).toBe(others + before);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect(await referrers(20)).toBe(others);
  expect(await referrers(12)).toBe(before);
});

test("a reference to a deleted object has its name, and leads to where it comes back", {
  tag: "@main",
}, async ({ page, server, console }) => {
  await logIn(page, "/objects/300");
  const values = async () => {
    const object = await page.request.get("/rest/objects/300/native");
    const { fields } = (await object.json()) as { fields: { name: string; value: unknown }[] };
    return new Map(fields.map(({ name, value }) => [name, value]));
  };
  const manager = Number((await values()).get("manager"));
  await page.getByRole("link", { name: /Friederike/ }).click();
  await expect(page).toHaveURL(new RegExp(`/objects/${manager}$`));
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  const gone = await page.request.delete(`${server.url}/rest/objects/${manager}`, {
    headers: { origin: server.url, "sec-fetch-site": "same-origin" },
  });
  expect(gone.ok()).toBe(true);
  for (const tab of ["", "?tab=references"]) {
    await page.goto(`/objects/300${tab}`);
    await expect(page.getByRole("link", { name: /Friederike.*\(deleted\)/ })).toBeVisible();
  }
  const columns = encodeURIComponent('["fields.first-name","fields.manager"]');
  await page.goto(`/objects?type=5&columns=${columns}&q=P11134`);
  await page.getByRole("link", { name: /Friederike.*\(deleted\)/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name} was deleted`);

  await page.getByRole("link", { name: "Deleted objects" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Deleted objects");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Friederike" });
  await expect(row).toContainText("admin");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByRole("option", { name: "Rack", exact: true }).click();
  await expect(page).toHaveURL(/type=3/);
  await expect(row).toHaveCount(0);
  await page.goBack();
  await row.getByRole("button", { name: /^Restore/ }).click();
  await expect(page.getByText(/was restored/)).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.goto("/objects/300");
  await expect(page.getByRole("link", { name: /Friederike/ })).not.toContainText("deleted");
  // The browser reports the answers for the deleted object itself.
  console.length = 0;
});
