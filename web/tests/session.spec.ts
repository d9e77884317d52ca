import { expect, expectAccessible, logIn, test } from "./server";

test("a wrong password is said at the field, and the name stays", async ({ page, console }) => {
  await page.goto("/");
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Incorrect user name or password.")).toBeVisible();
  await expect(page.getByLabel("User name")).toHaveValue("admin");
  await expectAccessible(page);
  // The browser reports the refused login itself.
  console.length = 0;
});

test("scripts cannot read the session", async ({ page }) => {
  await logIn(page);
  expect(await page.evaluate("document.cookie")).toBe("");
  expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("eyJ");
});

test("after a reload the user is still logged in, after a logout not", async ({ page }) => {
  await logIn(page, "/objects?type=11");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Server" })).toBeVisible();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("a session that ends asks for the password over the page", async ({ page, console }) => {
  await logIn(page, "/objects?type=11");
  await expect(page.getByRole("grid", { name: "Objects" })).toBeVisible();
  await page.getByLabel("Filter categories and types").fill("rack");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Sort by Host name" }).click();
  const dialog = page.getByRole("dialog", { name: "Log in" });
  await expect(dialog).toContainText("your input is kept");
  await dialog.getByLabel("User name").fill("admin");
  await dialog.getByLabel("Password").fill("correct-horse-battery");
  await dialog.getByRole("button", { name: "Log in" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Filter categories and types")).toHaveValue("rack");
  await expect(page.getByRole("columnheader", { name: "Host name" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  console.length = 0;
});

test("other sessions can be ended", async ({ page, browser, server }) => {
  const other = await browser.newContext({ baseURL: server.url, locale: "en-GB" });
  const otherPage = await other.newPage();
  await logIn(otherPage);
  await logIn(page, "/account/sessions");
  await expect(page.getByText("This session")).toHaveCount(1);
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await expect(page.getByRole("button", { name: "End session", exact: true })).toHaveCount(0);
  await otherPage.reload();
  await expect(otherPage.getByRole("button", { name: "Log in" })).toBeVisible();
  await expectAccessible(page);
});
