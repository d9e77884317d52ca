/** What somebody typed stays when the server is away for a moment, or the session ends. */
import type { Locator, Page } from "@playwright/test";
import { expect, logIn, PASSWORD, test } from "./server";

const FORMS: Record<string, { path: string; field: (page: Page) => Locator }> = {
  "the form of an object": {
    path: "/objects/1/edit",
    field: (page) => page.getByRole("main").getByRole("textbox").first(),
  },
  "the form of a new object": {
    path: "/objects/new?type=11",
    field: (page) => page.getByRole("textbox", { name: "Host name" }),
  },
  "the designer": {
    path: "/types/11",
    field: (page) => page.getByRole("main").getByLabel("Label", { exact: true }).first(),
  },
  "the form of a user": {
    path: "/admin/users/2",
    field: (page) => page.getByRole("textbox", { name: "Email" }),
  },
  "the form of a group": {
    path: "/admin/groups/2",
    field: (page) => page.getByRole("main").getByRole("textbox").first(),
  },
};

/** Whoever comes back to the window sees what was changed meanwhile. */
function comeBack(page: Page) {
  return page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

for (const [name, { path, field }] of Object.entries(FORMS)) {
  test(`${name} keeps its input while the server is away`, async ({ page, console }) => {
    await logIn(page, path);
    await field(page).fill("typed for long");
    let refused = 0;
    await page.route(/\/rest\/(?!changes|auth)/, async (route) => {
      refused += 1;
      await route.fulfill({ status: 503, json: { title: "Away", detail: "restarting" } });
    });
    await comeBack(page);
    await expect.poll(() => refused).toBeGreaterThan(2);
    // What was refused is not shown at once.
    await page.waitForTimeout(300);
    await expect(field(page)).toHaveValue("typed for long");
    await page.unrouteAll();
    await comeBack(page);
    await expect(field(page)).toHaveValue("typed for long");
    console.length = 0;
  });

  test(`${name} keeps its input when the session ends`, async ({ page, console }) => {
    await logIn(page, path);
    await field(page).fill("typed for long");
    await page.context().clearCookies();
    await comeBack(page);
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByLabel("User name").fill("admin");
    await expect(field(page)).toBeHidden();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Log in" }).click();
    await expect(dialog).toBeHidden();
    await expect(field(page)).toHaveValue("typed for long");
    console.length = 0;
  });
}

test("the table stays, with what is typed in a cell, while the server is away", async ({
  page,
  console,
}) => {
  await logIn(page, "/objects?type=11&sort=public_id&view=0");
  const cell = page.locator('[data-cell="1/1"]');
  await cell.click();
  await page.keyboard.type("typed");
  await page.route(/\/rest\/objects\?/, (route) =>
    route.fulfill({ status: 503, json: { title: "Away", detail: "restarting" } }),
  );
  await comeBack(page);
  await expect(page.getByRole("alert")).toContainText("restarting");
  await expect(cell.getByRole("textbox")).toHaveValue("typed");
  await cell.getByRole("textbox").press("Escape");
  console.length = 0;
});
