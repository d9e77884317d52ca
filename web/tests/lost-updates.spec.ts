/** No write is done twice, overwrites another one, or is taken back where nobody sees it. */
import type { Page, Route } from "@playwright/test";
import { createObject, createType, storedValue } from "./records";
import { expect, logIn, PASSWORD, test } from "./server";

/** The first answer to a write there is lost. */
async function loseFirstAnswer(page: Page, path: RegExp) {
  let isLost = false;
  await page.route(path, async (route: Route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

test("an object whose answer was lost is made once", async ({ page, console }) => {
  await logIn(page);
  const type = await createType(page, "lost", { name: "text" });
  await page.goto(`/objects/new?type=${type}`);
  await page.getByRole("textbox", { name: "name" }).fill("only once");
  await loseFirstAnswer(page, /\/rest\/objects\/?$/);
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText(/The server does not respond/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("only once was created.")).toBeVisible();
  await page.goto(`/objects?type=${type}`);
  await expect(page.getByText("1 object", { exact: true })).toBeVisible();
  console.length = 0;
});

test("keys take back nothing of another screen", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "screens", { name: "text" });
  const id = await createObject(page, type, { name: '"before"' });
  await page.goto(`/objects/${id}`);
  await page.getByRole("button", { name: "Edit name" }).click();
  await page.getByRole("textbox", { name: "name" }).fill("after");
  await page.keyboard.press("Enter");
  await expect.poll(() => storedValue(page, id, "name")).toBe('"after"');
  await page.getByRole("link", { name: "Software", exact: true }).click();
  await page.getByRole("grid", { name: "Objects" }).locator('[data-cell="0/0"]').click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByText("Nothing to undo on this page.")).toBeVisible();
  expect(await storedValue(page, id, "name")).toBe('"after"');
});

test("a view that somebody else changed meanwhile is not overwritten", async ({
  page,
  browser,
  server,
}) => {
  await logIn(page);
  const type = await createType(page, "viewed", { name: "text", second: "text" });
  await createObject(page, type, { name: '"a"', second: '"b"' });
  const { origin } = new URL(page.url());
  const headers = { origin, "sec-fetch-site": "same-origin" };
  const definition = { columns: ["public_id", "fields.name"], sort: "fields.name", order: 1 };
  const data = { name: "Shared", type_id: type, visibility: "all", definition };
  const made = await page.request.post("/rest/views/", { data, headers });
  const { result_id: view } = (await made.json()) as { result_id: number };
  const other = await (await browser.newContext({ baseURL: server.url })).newPage();
  await logIn(other);
  const search = `columns=["public_id","fields.name"]&sort=fields.name`;
  for (const each of [page, other]) await each.goto(`/objects?type=${type}&view=${view}&${search}`);
  const save = async (each: Page) => {
    await each.getByRole("button", { name: /^Shared/ }).click();
    await each.getByRole("button", { name: "Save view", exact: true }).click();
  };
  await other.getByRole("button", { name: "Columns", exact: true }).click();
  await other.getByRole("dialog", { name: "Columns" }).getByText("second").click();
  await other.keyboard.press("Escape");
  await save(other);
  await expect(other.getByText("View Shared was saved.")).toBeVisible();
  await page.getByRole("button", { name: "Sort by name" }).click();
  await save(page);
  await expect(page.getByText(/someone else changed this view in the meantime/)).toBeVisible();
  const stored = await (await page.request.get(`/rest/views/${view}`)).text();
  expect(stored).toContain("fields.second");
  await other.context().close();
});

test("a form shows what became of fields while the type was changed", async ({
  page,
  server,
  browser,
}) => {
  await logIn(page);
  const type = await createType(page, "retyped", { name: "text", second: "text" });
  const id = await createObject(page, type, { name: '"n"', second: '"s"' });
  await page.goto(`/objects/${id}/edit`);
  await page.getByRole("textbox", { name: "second" }).fill("typed for long");
  const other = await (await browser.newContext({ baseURL: server.url })).newPage();
  await logIn(other, `/types/${type}`);
  const fields = other.getByRole("region", { name: "Sections and fields" });
  await fields.getByRole("row", { name: "second" }).click();
  const properties = other.getByRole("complementary", { name: "Properties" });
  await properties.getByLabel("API name").fill("renamed");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("second: typed for long")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "second" })).toHaveValue("s");
  await page.getByRole("textbox", { name: "name", exact: true }).fill("n2");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("n2 was saved.")).toBeVisible();
  expect(await storedValue(page, id, "renamed")).toBe('"s"');
  await other.context().close();
});

test("a new password does not end the session of its page", async ({ page, console }) => {
  await logIn(page);
  const { origin } = new URL(page.url());
  const headers = { origin, "sec-fetch-site": "same-origin" };
  const user = { name: "newbie", password: PASSWORD };
  const data = { user_name: user.name, active: true, group_id: 1, password: user.password };
  expect((await page.request.post("/rest/users/", { data, headers })).ok()).toBe(true);
  await page.context().clearCookies();
  await logIn(page, "/account", user);
  const refused = page.waitForResponse(
    (answer) => answer.url().includes("/rest/changes") && answer.status() === 401,
  );
  await page.getByLabel(/^Current password/).fill(user.password);
  await page.getByLabel(/^New password/).fill("another-long-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password was changed.")).toBeVisible();
  await refused;
  await page.getByRole("link", { name: "Software", exact: true }).click();
  await expect(page.getByRole("grid", { name: "Objects" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  console.length = 0;
});
