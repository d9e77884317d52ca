import type { Page } from "@playwright/test";
import { createObject, createType, deleteObject } from "./records";
import { expect, expectAccessible, logIn, test } from "./server";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a field becomes unique when no objects share values, and a taken value is refused", {
  tag: "@main",
}, async ({ page, console }) => {
  await logIn(page);
  const type = await createType(page, "tablet", { serial: "text" });
  const first = await createObject(page, type, { serial: '"X1"' });
  const second = await createObject(page, type, { serial: '"X1"' });
  await page.goto(`/types/${type}`);
  const fields = page.getByRole("region", { name: "Sections and fields" });
  await fields.getByRole("row", { name: "serial" }).click();
  const properties = page.getByRole("complementary", { name: "Properties" });
  await properties.getByText("Unique", { exact: true }).click();
  await properties.getByText("Ignore case, width and extra spaces").click();
  await expectAccessible(page);
  await button(page, "Save").first().click();
  const dialog = page.getByRole("dialog", { name: "Effects on objects" });
  await expect(dialog).toContainText("serial: no two objects may have the same value.");
  await expect(dialog).toContainText(`"X1" in objects ${first}, ${second}`);
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Back" }).click();
  await deleteObject(page, second);
  await button(page, "Save").first().click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Type tablet was saved.")).toBeVisible();

  await page.goto(`/objects/new?type=${type}`);
  const serial = page.getByRole("textbox", { name: "serial" });
  await serial.fill("x1");
  await button(page, "Save").click();
  await expect(page.getByText("Not saved. Fix 1 field.")).toBeVisible();
  await expect(page.getByText(`is taken by object ${first}`)).toBeVisible();
  await expect(serial).toBeFocused();
  const holder = page.getByRole("link", { name: "Show the object with this value" });
  await expect(holder).toHaveAttribute("href", new RegExp(`/objects/${first}$`));
  await serial.fill("x2");
  await button(page, "Save").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("x2");
  // The browser reports the refused writes itself.
  console.length = 0;
});

test("fields are unique together, whatever they are called", async ({ page }) => {
  await logIn(page);
  const type = await createType(page, "segment", { site: "text", number: "text" });
  await page.goto(`/types/${type}`);
  await page.getByRole("tab", { name: "Appearance" }).click();
  await button(page, "Add set").click();
  const set = page.getByRole("group", { name: "Set 1", exact: true });
  for (const name of ["site", "number"]) {
    await set.getByRole("combobox").fill(name);
    await page.getByRole("option", { name, exact: true }).click();
  }
  await expectAccessible(page);
  const stored = async () => {
    const answer = await page.request.get(`/rest/types/${type}`);
    return (await answer.json()).result.unique;
  };
  const dialog = page.getByRole("dialog", { name: "Effects on objects" });
  await button(page, "Save").first().click();
  await expect(dialog).toContainText("site, number: no two objects may have the same values");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(stored).toEqual([["site", "number"]]);
  await page.getByRole("tab", { name: "Fields" }).click();
  const fields = page.getByRole("region", { name: "Sections and fields" });
  await fields.getByRole("row", { name: "number" }).click();
  const properties = page.getByRole("complementary", { name: "Properties" });
  await properties.getByLabel("API name").fill("vid");
  await button(page, "Save").first().click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(stored).toEqual([["site", "vid"]]);
});
