import { expect, expectAccessible, logIn, test } from "./server";

test.use({ inventory: "empty" });
test.describe.configure({ mode: "serial" });

const PACKS = ["Data centre", "Office IT", "Network", "Software licences", "Facilities"];

test("a new inventory offers three ways to begin", async ({ page }) => {
  await logIn(page);
  await expect(page.getByRole("heading", { name: "Set up your inventory" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Import types" }).click();
  await expect(page.getByRole("dialog", { name: "Import types" })).toBeVisible();
  await page.goto("/");
  await page.getByRole("link", { name: "Import file" }).click();
  await expect(page.getByRole("heading", { name: "Import file" })).toBeVisible();
  await page.goto("/");
  await page.getByRole("link", { name: "Create type" }).click();
  await expect(page.getByRole("heading", { name: "New type" })).toBeVisible();
});

for (const pack of PACKS) {
  test(`the pack ${pack} is installed with one click, and taken back with one`, async ({
    page,
  }) => {
    await logIn(page);
    await page.getByRole("button", { name: `Install ${pack}` }).click();
    await expect(page.getByText(new RegExp(`^${pack}: \\d types were added`))).toBeVisible();
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Site" })).toBeVisible();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Set up your inventory" })).toBeVisible();
  });
}

test("a second pack uses the types of the first", async ({ page }) => {
  await logIn(page, "/types?open=packs");
  await page.getByRole("button", { name: "Install Network" }).click();
  await expect(page.getByText("Network: 9 types were added.")).toBeVisible();
  await page.goto("/types?open=packs");
  await page.getByRole("button", { name: "Install Data centre" }).click();
  await expect(page.getByText("Data centre: 5 types were added.")).toBeVisible();
  await expect(page.getByText(/already exist: site, room/)).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Rack" }).click();
  await page.getByRole("main").getByRole("row", { name: "Room" }).click();
  const targets = page.getByRole("group", { name: "Allowed target types" });
  await expect(targets.getByRole("listitem")).toHaveText(["Room"]);
});
