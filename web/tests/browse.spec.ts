import { expect, expectAccessible, logIn, test } from "./server";

test("from the tree to a type's objects, to one, to what refers to it", async ({ page }) => {
  await logIn(page);
  await expectAccessible(page);
  await page.getByLabel("Filter categories and types").fill("server");
  const compute = page.getByRole("row", { name: "Server", exact: true });
  await expect(compute).toContainText("384");
  await page.getByLabel("Filter categories and types").fill("depart");
  await page.getByRole("link", { name: "Department" }).first().click();
  await expect(page.getByRole("heading", { name: "Department" })).toBeVisible();
  const row = page.getByRole("grid").getByRole("row").filter({ hasText: "Research" }).first();
  await row.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Research");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "References" }).click();
  await expect(page.getByRole("heading", { name: /Person/ })).toBeVisible();
  await expect(page).toHaveURL(/tab=references/);
  await expectAccessible(page);
});

test("the references of an object lead to what it points to, and to more of what uses it", async ({
  page,
}) => {
  await logIn(page, "/objects/133?tab=references");
  await expect(page.getByRole("heading", { name: /^Refers to/ })).toBeVisible();
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  const people = page.getByRole("region", { name: /^Person/ });
  await expect(people.getByRole("link")).toHaveCount(24);
  await people.getByRole("button", { name: /^Show more: Person/ }).click();
  await expect(people.getByRole("link").nth(24)).toBeVisible();
  await people.getByRole("link").first().click();
  await page.getByRole("tab", { name: "References" }).click();
  await expect(page.getByRole("term").filter({ hasText: "Department" })).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expectAccessible(page);
});

test("a table sorts, filters and keeps that in the address", { tag: "@main" }, async ({ page }) => {
  // The view of a type's default has another order; this address has one of its own.
  await logIn(page, "/objects?type=11&sort=public_id");
  const rows = page.getByRole("grid", { name: "Objects" }).getByRole("row");
  await page.getByRole("button", { name: "Sort by Host name" }).click();
  await page.getByRole("button", { name: "Sort by Host name" }).click();
  await expect(page.getByRole("columnheader", { name: "Host name" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(rows.nth(1)).toContainText("zrh-");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("textbox", { name: "Value" }).fill("ham-");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(rows.nth(1)).toContainText("ham-");
  await page.reload();
  await expect(page.getByText("Host name contains “ham-”")).toBeVisible();
  await expect(rows.nth(1)).toContainText("ham-");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Remove filter/ }).click();
  await expect(rows.nth(1)).toContainText("zrh-");
});

test("a table reaches its last row", async ({ page }) => {
  await logIn(page, "/objects");
  const table = page.getByRole("grid", { name: "Objects" });
  await expect(table.getByRole("row").nth(1)).toContainText("1");
  const count = Number(await table.getAttribute("aria-rowcount"));
  expect(count).toBeGreaterThan(2_000);
  await table.getByRole("gridcell").nth(1).click();
  await page.keyboard.press("ControlOrMeta+End");
  const last = table.locator(`[role="row"][aria-rowindex="${count}"]`);
  await expect(last.getByRole("link", { name: String(count - 1), exact: true })).toBeVisible();
});

test("an edit by another client shows in the history with what changed", async ({
  page,
  server,
}) => {
  // Another object than those of the tests that edit: servers are shared by a worker's tests.
  await logIn(page, "/objects/340");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const edit = await page.request.patch(`${server.url}/rest/objects/340`, {
    data: { fields: [{ name: "job-title", value: "Head of the lab" }] },
    headers: { "x-comment": "promoted", origin: server.url, "sec-fetch-site": "same-origin" },
  });
  expect(edit.ok()).toBe(true);
  await page.getByRole("tab", { name: "History" }).click();
  const newest = page.getByRole("listitem").filter({ hasText: "promoted" });
  await expect(newest).toContainText("Job title");
  await expect(newest).toContainText("Head of the lab");
  await expectAccessible(page);
});

test("an unknown object and an unknown address say so", async ({ page, console }) => {
  await logIn(page, "/objects/999999");
  await expect(page.getByRole("alert")).toContainText("Not found.");
  await page.goto("/nowhere");
  await expect(page.getByRole("link", { name: "Go to dashboard" })).toBeVisible();
  // The browser reports the answer for the unknown object itself.
  console.length = 0;
});

test("language and theme are chosen in the menu", async ({ page }) => {
  await logIn(page);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("button", { name: /^Konto/ }).click();
  await page.getByRole("menuitemradio", { name: "Dunkel" }).click();
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await expectAccessible(page);
});

test("the menu of a phone has the inventory", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logIn(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByLabel("Filter categories and types").fill("rack");
  await page.getByRole("link", { name: "Rack" }).first().click();
  await expect(page.getByRole("heading", { name: "Rack" })).toBeVisible();
  await expect(page.getByLabel("Filter categories and types")).toBeHidden();
});

test("the tree opens at the type on the screen", async ({ page }) => {
  await logIn(page, "/objects?type=11");
  const tree = page.getByRole("treegrid");
  await expect(tree.getByRole("row", { name: "Server", exact: true })).toBeVisible();
  await expect(tree.getByRole("row", { name: "Laptop", exact: true })).toHaveCount(0);
  await page.goto("/objects?type=14");
  await expect(tree.getByRole("row", { name: "Laptop", exact: true })).toBeVisible();
});
