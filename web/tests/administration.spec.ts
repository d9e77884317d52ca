import { expect, expectAccessible, logIn, test } from "./server";

const NEW_PASSWORD = "another-long-password";

test("a user is made, gets a password, is deactivated and deleted", async ({
  page,
  browser,
  server,
  console,
}) => {
  await logIn(page, "/admin/users");
  await expect(page.getByRole("table", { name: "Users" })).toContainText("Birgit Schäfer");
  await expectAccessible(page);
  await page.getByRole("button", { name: "New user" }).click();
  await page.getByRole("textbox", { name: /^User name/ }).fill("admin");
  await page.getByLabel(/^Password/).fill("x");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("is in use by user 1")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: /^User name/ }).fill("robin.weber");
  await page.getByRole("textbox", { name: "First name" }).fill("Robin");
  await page.getByRole("textbox", { name: "Last name" }).fill("Weber");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("is easily guessed")).toBeVisible();
  await page.getByLabel(/^Password/).fill("a-first-password");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Robin Weber" })).toBeVisible();
  await page.getByRole("textbox", { name: "Email" }).fill("robin@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("User robin.weber was saved.")).toBeVisible();
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The password of robin.weber was changed.")).toBeVisible();
  const context = await browser.newContext({ baseURL: server.url, locale: "en-GB" });
  const login = await context.request.post("/rest/auth/login", {
    data: { user_name: "robin.weber", password: NEW_PASSWORD },
  });
  expect(login.ok()).toBe(true);
  await context.close();
  await page.getByRole("button", { name: "Deactivate user" }).click();
  await expect(
    page.getByText("robin.weber was deactivated and can no longer log in."),
  ).toBeVisible();
  await page.goto("/admin/users?text=robin&state=inactive");
  await page.getByRole("link", { name: "robin.weber" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 user deleted");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("User robin.weber was deleted.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Users" })).not.toContainText("robin.weber");
  // The browser reports the refused user itself.
  console.length = 0;
});

test("a group gets rights from the tree, and its users move when it is deleted", async ({
  page,
}) => {
  await logIn(page, "/admin/groups/new");
  await page.getByRole("textbox", { name: /^API name/ }).fill("night-shift");
  await page.getByRole("searchbox", { name: "Filter rights" }).fill("object.");
  const right = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await right("base.framework.object.*").check({ force: true });
  await expect(page.getByRole("heading", { name: "6 of 62 rights in effect" })).toBeVisible();
  await expect(right("base.framework.*")).toBeChecked({ indeterminate: true });
  // Without one of the master's rights, the others stay.
  await right("base.framework.object.delete").uncheck({ force: true });
  await expect(page.getByRole("heading", { name: "4 of 62 rights in effect" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Night-Shift" })).toBeVisible();
  const group = page.url();
  await page.goto("/admin/users/9");
  await page.getByRole("button", { name: /Group/ }).click();
  await page.getByRole("option", { name: "Night-Shift" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("User rene.mueller was saved.")).toBeVisible();
  await page.goto(group);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 user changed");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Group Night-Shift was deleted.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Groups" })).not.toContainText("night-shift");
});

test("nobody grants what they lack", async ({ page, server, browser, console }) => {
  const admin = await browser.newContext({ baseURL: server.url });
  await logIn(await admin.newPage());
  const headers = { origin: server.url, "sec-fetch-site": "same-origin" };
  const rights = ["base.user-management.group.view", "base.user-management.group.edit"];
  const seen = ["object", "type", "category"].map((name) => `base.framework.${name}.view`);
  const data = { name: "deputies", rights: [...rights, ...seen] };
  const group = await admin.request.post("/rest/groups", { headers, data });
  const { result_id: id } = await group.json();
  await admin.request.post("/rest/users", {
    headers,
    data: { user_name: "deputy", password: NEW_PASSWORD, group_id: id },
  });
  await page.goto("/");
  await page.getByLabel("User name").fill("deputy");
  await page.getByLabel("Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("banner")).toBeVisible();
  await page.goto("/admin/groups/2");
  await page.getByRole("searchbox", { name: "Filter rights" }).fill("system.view");
  await expect(page.getByRole("checkbox", { name: "base.system.view" })).toBeDisabled();
  await expect(page.getByText("You cannot grant this right").first()).toBeVisible();
  await expectAccessible(page);
  // The page does not know yet that this right is gone.
  await page.goto("/admin/groups/5");
  await page.getByRole("searchbox", { name: "Filter rights" }).fill("group.view");
  await page
    .getByRole("checkbox", { name: "base.user-management.group.view" })
    .check({ force: true });
  const taken = await admin.request.patch(`/rest/groups/${id}`, {
    headers,
    data: { rights: ["base.user-management.group.edit", ...seen] },
  });
  expect(taken.ok()).toBe(true);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("nobody may grant a right that they lack");
  await expectAccessible(page);
  await admin.close();
  // The browser reports the refusal itself.
  console.length = 0;
});

test("the system page says how the server is, and how to back it up", async ({ page }) => {
  await logIn(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(palette).toBeVisible();
  await page.keyboard.type("administration: system");
  await palette.getByRole("menuitem", { name: "Administration: System" }).click();
  await expect(page.getByRole("heading", { name: "System", exact: true })).toBeVisible();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await expect(page.getByText("Average response time")).toBeVisible();
  await page.getByRole("button", { name: /^Copy.*stockroom backup/ }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByText("The backup has started.")).toBeVisible();
  await expectAccessible(page);
});

test("users change their own data and password, and stay logged in", async ({ page, console }) => {
  await page.goto("/account");
  await page.getByLabel("User name").fill("olena.shevchenko");
  await page.getByLabel("Password").fill("stockroom-demo");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill("olena@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your profile was saved.")).toBeVisible();
  await page.getByLabel(/^Current password/).fill("wrong");
  await page.getByLabel(/^New password/).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("is not the password in force")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(/^Current password/).fill("stockroom-demo");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password was changed.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  console.length = 0;
});

test("a user with few rights sees none of the administration", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("User name").fill("yoko.tanaka");
  await page.getByLabel("Password").fill("stockroom-demo");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Administration" })).toHaveCount(0);
  await page.goto("/account");
  await expect(page.getByRole("textbox", { name: "Email" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "User name" })).toHaveCount(0);
  for (const path of ["categories", "users", "users/2", "groups", "history", "system"]) {
    await page.goto(`/admin/${path}`);
    await expect(page.getByText("You do not have permission to open this page.")).toBeVisible();
  }
  await expectAccessible(page);
});

test("who may only look is offered no changes", async ({ page }) => {
  await page.goto("/admin/users/2");
  await page.getByLabel("User name").fill("layla.haddad");
  await page.getByLabel("Password").fill("stockroom-demo");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("You do not have permission to change this user.")).toBeVisible();
  for (const name of ["Save", "Set password", "Deactivate user", "Delete user"]) {
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
  await page.goto("/admin/groups/3");
  await expect(page.getByText("You do not have permission to change this group.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expectAccessible(page);
});

test("the menu of a phone has the administration", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await logIn(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Users" }).click();
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
});
