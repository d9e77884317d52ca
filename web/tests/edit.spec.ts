import type { Locator } from "@playwright/test";
import { expect, expectAccessible, logIn, PASSWORD, test } from "./server";

/** Finds an object for a reference by what its summary says. */
async function choose(reference: Locator, text: string) {
  // Scrolling closes the list, as it does for people; typing opens it again.
  await reference.click();
  await reference.pressSequentially(text);
  await expect(reference.page().getByRole("option").first()).toContainText(text);
  await reference.press("ArrowDown");
  await reference.press("Enter");
  await expect(reference).toHaveValue(new RegExp(text));
}

/** Other tests count the servers. */
test.afterAll(async ({ server, playwright }) => {
  const api = await playwright.request.newContext({ baseURL: server.url });
  const data = { user_name: "admin", password: PASSWORD };
  const { token } = await (await api.post("/rest/auth/login", { data })).json();
  const headers = { authorization: `Bearer ${token}` };
  const filter = JSON.stringify({ "fields.hostname": { $regex: "^ham-(new|rel)-" } });
  const found = await api.get("/rest/objects", { headers, params: { filter } });
  for (const { public_id: id } of (await found.json()).results) {
    expect((await api.delete(`/rest/objects/${id}`, { headers })).ok()).toBe(true);
  }
  await api.dispose();
});

test("a new object is refused at its fields, then saved, and the next one keeps values", {
  tag: "@main",
}, async ({ page, console }) => {
  await logIn(page, "/objects?type=11");
  await page.getByRole("button", { name: "New object", exact: true }).click();
  await page.getByRole("textbox", { name: "Host name" }).fill("Not A Name");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved. Fix 3 fields.")).toBeVisible();
  await expect(page.getByText(/must match/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Host name" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Host name" }).fill("ham-new-001");
  await page.getByRole("textbox", { name: "Asset tag" }).fill("A900001");
  await page.getByRole("textbox", { name: "Serial number" }).fill("ABC1234");
  await page.getByRole("textbox", { name: "Manufacturer" }).fill("Acme");
  await page.getByRole("button", { name: "Keep Manufacturer for the next object" }).click();
  await choose(page.getByRole("combobox", { name: "Rack", exact: true }), "HAM-R01");
  await page.getByRole("button", { name: "Save and add another" }).click();
  await expect(page.getByText("ham-new-001", { exact: false }).first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Host name" })).toHaveValue("");
  await expect(page.getByRole("textbox", { name: "Manufacturer" })).toHaveValue("Acme");
  await page.getByRole("textbox", { name: "Host name" }).fill("ham-new-002");
  await page.getByRole("textbox", { name: "Asset tag" }).fill("A900002");
  await page.getByRole("textbox", { name: "Serial number" }).fill("ABC1235");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ham-new-002");
  // The browser reports the refused write itself.
  console.length = 0;
});

test("two people edit one object: other fields are joined, the same field asks", {
  tag: "@main",
}, async ({ page, server, console }) => {
  await logIn(page, "/objects/300/edit");
  const title = page.getByRole("textbox", { name: "Job title" });
  await expect(title).toHaveValue("Lab technician");
  const change = (fields: object[]) =>
    page.request.patch(`${server.url}/rest/objects/300`, {
      data: { fields },
      headers: { origin: server.url, "sec-fetch-site": "same-origin" },
    });
  await title.fill("Head of the lab");
  expect((await change([{ name: "phone", value: "+1 555 0100" }])).ok()).toBe(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Luís");
  await expect(page.getByText("+1 555 0100")).toBeVisible();
  await expect(page.getByText("Head of the lab")).toBeVisible();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await title.fill("Professor");
  expect((await change([{ name: "job-title", value: "Dean" }])).ok()).toBe(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Someone else changed this to: Dean")).toBeVisible();
  await expectAccessible(page);
  await expect(title).toHaveValue("Professor");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Professor")).toBeVisible();
  // The browser reports the refused writes itself.
  console.length = 0;
});

test("leaving a form asks before something is lost", async ({ page }) => {
  await logIn(page, "/objects/301/edit");
  await page.getByRole("textbox", { name: "Job title" }).fill("Changed");
  await page.getByRole("link", { name: "Stockroom" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard changes?" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByRole("textbox", { name: "Job title" })).toHaveValue("Changed");
  await page.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
  await expect(page.getByText("Changed", { exact: true })).toHaveCount(0);
});

test("a value that somebody else changed while it is edited is a conflict", async ({
  page,
  server,
}) => {
  const feed = page.waitForRequest(
    (request) => request.url().includes("/rest/changes") && !request.url().includes("after=now"),
  );
  await logIn(page, "/objects/303");
  await feed;
  await page.getByRole("button", { name: "Edit Job title" }).click();
  await page.getByRole("textbox", { name: "Job title" }).fill("Mine");
  const data = {
    fields: [
      { name: "job-title", value: "Theirs" },
      { name: "phone", value: "+1 555 0199" },
    ],
  };
  const headers = { origin: server.url, "sec-fetch-site": "same-origin" };
  expect((await page.request.patch("/rest/objects/303", { data, headers })).ok()).toBe(true);
  // The page has read it again.
  await expect(page.getByText("+1 555 0199")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/someone else changed/i)).toBeVisible();
  await expect(page.getByText("Theirs", { exact: true })).toBeVisible();
});

test("a click on a value edits it, and undo takes it back", async ({ page }) => {
  await logIn(page, "/objects/302");
  const value = page.getByRole("definition").filter({ has: page.getByLabel("Edit Job title") });
  await expect(value).toHaveText(/[A-Z]/);
  const before = await value.innerText();
  await value.getByText(before).click();
  const control = page.getByRole("textbox", { name: "Job title" });
  await control.fill("Gardener");
  await control.press("Enter");
  await expect(page.getByText("Job title was saved.")).toBeVisible();
  await expect(page.getByText("Gardener")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(value).toHaveText(before);
  await value.getByText(before).click();
  await control.press("Escape");
  await expect(control).toBeHidden();
});

test("an object is cloned, deleted, and comes back by undo", { tag: "@main" }, async ({ page }) => {
  await logIn(page, "/objects/303");
  await page.getByRole("button", { name: "Clone" }).click();
  await expect(page.getByRole("textbox", { name: "Job title" })).toHaveValue(/[A-Z]/);
  await page.getByRole("textbox", { name: "First name" }).fill("Copied");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Copied");
  const address = page.url();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText(/was deleted/)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Copied");
});

test("a related object is made without leaving the form", async ({ page }) => {
  await logIn(page, "/objects/new?type=11");
  await page.getByRole("textbox", { name: "Host name" }).fill("ham-rel-001");
  const rack = page.getByRole("combobox", { name: "Rack", exact: true });
  await rack.locator("xpath=../../..").getByRole("button", { name: "Create object" }).click();
  const dialog = page.getByRole("dialog", { name: "Create object" });
  await dialog.getByRole("textbox", { name: "Name" }).first().fill("HAM-R90");
  await choose(dialog.getByRole("combobox", { name: "Room" }), "Data hall");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rack).toHaveValue(/HAM-R90/);
  await expect(page.getByRole("textbox", { name: "Host name" })).toHaveValue("ham-rel-001");
});

test("the sections of a long form are led to", async ({ page }) => {
  await logIn(page, "/objects/new?type=11");
  const index = page.getByRole("navigation", { name: "Sections" });
  await index.getByRole("button", { name: "Network" }).click();
  const section = page.getByRole("region", { name: "Network" });
  await expect(section).toBeFocused();
  await expect(section.getByRole("heading", { name: "Network" })).toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: "IP address" })).toBeFocused();
  await expectAccessible(page);
});

test("why something could not be saved stands beside the button", async ({ page, console }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await logIn(page, "/objects/1000/edit");
  await page.route(/\/rest\/(objects|groups)\/\d+$/, async (route) => {
    const json = { title: "Service Unavailable", detail: "The database rests." };
    if (route.request().method() === "GET") await route.continue();
    else await route.fulfill({ status: 503, contentType: "application/problem+json", json });
  });
  const refused = page.getByText("The database rests.");
  const scroller = page.getByRole("main");
  await page.getByRole("textbox", { name: "Asset tag" }).fill("A900009");
  for (const top of [0, 100_000]) {
    await scroller.evaluate((element, y) => element.scrollTo(0, y), top);
    await page.keyboard.press("ControlOrMeta+s");
    await expect(refused).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeInViewport();
  }
  await page.goto("/admin/groups/3");
  await page.getByLabel("Label", { exact: true }).fill("Operators");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(refused).toBeInViewport({ ratio: 1 });
  console.length = 0;
});
