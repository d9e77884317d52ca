import { expect, expectAccessible, logIn, test } from "./server";

test("a token is made, works within its limits, and is revoked", async ({
  page,
  server,
  console,
}) => {
  await logIn(page, "/account/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByRole("textbox", { name: /^Name/ })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Nightly export");
  await dialog.getByText("Read only").click();
  await dialog.getByRole("textbox", { name: "Networks" }).fill("127.0.0.1\n::1");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  const secret = await page
    .getByRole("dialog", { name: "Your new token" })
    .locator("code")
    .innerText();
  expect(secret).toMatch(/^stk_/);
  await page.getByRole("button", { name: "Close" }).last().click();
  const made = page.locator("section").filter({ hasText: "Nightly export" });
  await expect(made).toContainText("Read only · All rights of the user");

  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, server.url), { ...init, headers });
  expect((await ask("/rest/objects?limit=1")).status).toBe(200);
  const body = JSON.stringify({ name: "with a token" });
  expect((await ask("/rest/categories", { method: "POST", body })).status).toBe(403);

  await page.getByRole("button", { name: "Revoke token Nightly export" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token", exact: true }).click();
  await expect(made).toHaveCount(0);
  expect((await ask("/rest/objects?limit=1")).status).toBe(401);
  // The browser reports the refused request itself.
  console.length = 0;
});

test("a service account gets a token instead of a password", async ({ page, server }) => {
  await logIn(page, "/admin/users/new");
  await page.getByRole("textbox", { name: /^User name/ }).fill("backup-robot");
  await page.getByText(/^Service account/).click();
  await expect(page.getByLabel(/^Password/)).toHaveCount(0);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Service account", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "API tokens" }).click();
  await expect(page.getByRole("heading", { name: "API tokens of backup-robot" })).toBeVisible();
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Backups");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("dialog", { name: "Your new token" }).locator("code");
  const authorization = `Bearer ${await shown.innerText()}`;
  const me = await fetch(new URL("/rest/auth/me", server.url), { headers: { authorization } });
  expect((await me.json()).user.user_name).toBe("backup-robot");
});
