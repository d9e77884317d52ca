/** Several people at one browser: nobody sees what the one before had open. */
import type { Page } from "@playwright/test";
import { expect, logIn, PASSWORD, test } from "./server";

// People's browsers keep pages that were left, so that "Back" shows them as they were.
test.use({
  launchOptions: {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

const OTHER = { name: "birgit.schaefer", password: "stockroom-demo" };
const SECRET = "/objects/1";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Log in" });

async function logOut(page: Page) {
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
}

async function logInOver(page: Page, { name, password }: typeof OTHER) {
  await dialog(page).getByLabel("User name").fill(name);
  await dialog(page).getByLabel("Password").fill(password);
  await dialog(page).getByRole("button", { name: "Log in" }).click();
}

/** A page that comes back as it was is not loaded again. */
function goBack(page: Page) {
  return page.goBack({ waitUntil: "commit" });
}

/** Reads something, which says that the session has ended. */
async function endSession(page: Page) {
  await page.context().clearCookies();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(dialog(page)).toBeVisible();
}

test("a page is hidden when the session ends, and another user gets a new one", async ({
  page,
  console,
}) => {
  await logIn(page, SECRET);
  const title = (await heading(page).textContent()) ?? "";
  await endSession(page);
  await expect(page.getByText(title).first()).toBeHidden();
  await logInOver(page, OTHER);
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("button", { name: /^Account/ })).toContainText("birgit.schaefer");
  await expect(page.getByText(title)).toHaveCount(0);
  console.length = 0;
});

test("a half-filled form is dropped when another user logs in", async ({ page, console }) => {
  await logIn(page, `${SECRET}/edit`);
  const field = page.getByRole("main").getByRole("textbox").first();
  await field.fill("typed by admin");
  await endSession(page);
  await logInOver(page, OTHER);
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("button", { name: /^Account/ })).toContainText("birgit.schaefer");
  console.length = 0;
});

test("a logout in another tab leaves the page", async ({ page, context, console }) => {
  await logIn(page, SECRET);
  const title = (await heading(page).textContent()) ?? "";
  const second = await context.newPage();
  await second.goto("/");
  await logOut(second);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText(title)).toHaveCount(0);
  console.length = 0;
});

test("a login of somebody else in another tab leaves the page", async ({
  page,
  context,
  console,
}) => {
  await logIn(page, SECRET);
  await context.clearCookies();
  const second = await context.newPage();
  await logIn(second, "/", OTHER);
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("button", { name: /^Account/ })).toContainText("birgit.schaefer");
  console.length = 0;
});

test("after a logout, the way back shows nothing", async ({ page, console }) => {
  await logIn(page, SECRET);
  const title = (await heading(page).textContent()) ?? "";
  await logOut(page);
  await goBack(page);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(page.getByText(title)).toHaveCount(0);
  console.length = 0;
});

test("a page that the browser brings back belongs to the user who left it", async ({
  page,
  console,
}) => {
  await logIn(page, SECRET);
  const title = (await heading(page).textContent()) ?? "";
  await page.goto("/docs/guide/");
  await goBack(page);
  await expect(heading(page)).toHaveText(title);
  await page.goto("/docs/guide/");
  await page.context().clearCookies();
  await goBack(page);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(page.getByText(title).first()).toBeHidden();
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(heading(page)).toHaveText(title);
  console.length = 0;
});
