import { expect, expectAccessible, logIn, test } from "./server";

test("the audit log finds a change, shows it, and restores what was", async ({
  page,
  server,
  console,
}) => {
  await logIn(page);
  const write = (label: string) =>
    page.request.patch("/rest/categories/16", {
      data: { label },
      headers: { "x-comment": label, origin: server.url, "sec-fetch-site": "same-origin" },
    });
  for (const label of ["Programs", "Applications"]) expect((await write(label)).ok()).toBe(true);
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("button", { name: /Record$/ }).click();
  await page.getByRole("option", { name: "Category" }).click();
  await expect(page).toHaveURL(/resource=category/);
  const first = page
    .getByRole("listitem")
    .filter({ hasText: "Programs" })
    .filter({ has: page.getByRole("button", { name: "Changes" }) });
  await first.getByRole("button", { name: "Changes" }).click();
  await expect(first).toContainText("Software");
  await expectAccessible(page);
  await first.getByRole("button", { name: "Undo request" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("These later changes would be overwritten:");
  await expect(dialog.getByRole("button", { name: "Undo request" })).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "Overwrite later changes" }).check({ force: true });
  await expect(dialog).toContainText("1 category restored");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Undo request" }).click();
  await expect(page.getByText("The request was undone.")).toBeVisible();
  await expect(page.getByText("Category Software").first()).toBeVisible();
  console.length = 0;
  await page.getByRole("tab", { name: "Logins" }).click();
  await expect(page.getByRole("table", { name: "Logins" })).toContainText("admin");
  await expectAccessible(page);
});
