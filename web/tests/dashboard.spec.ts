import { expect, expectAccessible, logIn, test } from "./server";

test("the overview is arranged by its user, and stays so", async ({ page }) => {
  await logIn(page);
  await expect(page.getByRole("heading", { name: "Recently changed" })).toBeVisible();
  await page.getByRole("button", { name: "Customize dashboard" }).click();
  const dialog = page.getByRole("dialog", { name: "Customize dashboard" });
  const choose = async (label: string, option: string) => {
    await dialog.getByRole("button", { name: new RegExp(`${label}$`) }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await choose("Widget", "Chart of a field");
  await choose("Type", "Server");
  await choose("Field", "Role");
  await dialog.getByRole("button", { name: "Add widget" }).click();
  await choose("Widget", "Object count of a view");
  await choose("View", "Hypervisors");
  await dialog.getByRole("button", { name: "Add widget" }).click();
  await choose("Widget", "Upcoming dates");
  await choose("Field", "Warranty until");
  await dialog.getByRole("button", { name: "Add widget" }).click();
  await choose("Widget", "Objects to clean up");
  await dialog.getByRole("button", { name: "Add widget" }).click();
  await dialog.getByRole("button", { name: "Remove All types" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("heading", { name: "Server by role" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Server by role" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Hypervisors" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Types" })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Hypervisor", exact: true }).click();
  await expect(page.getByText("Role is “Hypervisor”")).toBeVisible();
});
