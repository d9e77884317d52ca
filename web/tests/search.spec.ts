import { expect, expectAccessible, logIn, test } from "./server";

test("a search is narrowed to a type, and its results have a page", { tag: "@main" }, async ({
  page,
}) => {
  await logIn(page);
  await page.keyboard.press("/");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await page.keyboard.type("ham");
  await expect(palette.getByRole("menuitem", { name: /^HAM \| Hamburg/ })).toBeVisible();
  await palette.getByRole("menuitem", { name: /^type:server/ }).click();
  await expect(palette.getByRole("textbox")).toHaveValue("type:server ham");
  await expect(palette.getByRole("menuitem", { name: /Printer/ })).toHaveCount(0);
  const all = palette.getByRole("menuitem", { name: /^All \d+ results/ });
  const total = Number(/\d+/.exec((await all.textContent()) ?? "")?.[0]);
  await all.click();
  const results = page.getByRole("main").getByRole("listitem");
  await expect(results).toHaveCount(50);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(results).toHaveCount(total);
  await page.getByRole("textbox", { name: "Search" }).fill("HAM_HV_003");
  await expect(results).toHaveCount(1);
  await page.getByRole("link", { name: /^ham-hv-003/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ham-hv-003");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette.getByRole("menuitem").first()).toContainText("ham-hv-003");
});

test("what matches beside the title is shown with its field", async ({ page }) => {
  await logIn(page, "/search?q=birgit.schaefer");
  const result = page.getByRole("main").getByRole("listitem").first();
  await expect(result).toContainText("birgit.schaefer");
  await page.getByRole("textbox", { name: "Search" }).fill("no such record");
  await expect(page.getByText("No results.")).toBeVisible();
});

test("a reference is found by any value of its object", async ({ page }) => {
  await logIn(page, "/objects/300/edit");
  const manager = page.getByRole("combobox", { name: "Manager" });
  await manager.fill("p11134");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText("Luís");
});

test("what is typed replaces the name of a choice, also if the name comes late", async ({
  page,
}) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/rest/objects/160", async (route) => {
    await asked;
    await route.continue();
  });
  await logIn(page, "/objects/300/edit");
  const manager = page.getByRole("combobox", { name: "Manager" });
  await expect(manager).toHaveValue("#160");
  await manager.selectText();
  answer();
  await expect(manager).not.toHaveValue("#160");
  await page.keyboard.insertText("p11134");
  await expect(manager).toHaveValue("p11134");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText("Luís");
  await page.keyboard.press("Tab");
  await manager.click();
  await page.keyboard.type("p11134");
  await expect(manager).toHaveValue("p11134");
});
