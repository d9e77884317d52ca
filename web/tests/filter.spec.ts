import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, logIn, test } from "./server";

const SERVERS = "/objects?type=11&sort=public_id";

/** Chooses an entry of the list that the focused button opens, by the keyboard alone. */
async function choose(page: Page, button: Locator, option: string) {
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
  // The focus comes back with the next frame.
  await expect(button).toBeFocused();
}

test("a filter with groups is built by the keyboard, and is JSON as well", async ({ page }) => {
  await logIn(page, SERVERS);
  await expect(page.getByRole("grid")).toBeVisible();
  await page.keyboard.press("f");
  const dialog = page.getByRole("dialog", { name: "Advanced filter" });
  const values = dialog.getByRole("textbox", { name: "Value" });
  const fields = dialog.getByRole("button", { name: /Field$/ });
  await dialog.getByRole("button", { name: "Add group" }).press("Enter");
  // The focus is at the field of the new condition.
  await expect(fields.first()).toBeFocused();
  await page.keyboard.press("Tab");
  await choose(page, dialog.getByRole("button", { name: /Condition$/ }), "is");
  await page.keyboard.press("Tab");
  await expect(values.first()).toBeFocused();
  await page.keyboard.type("ham-hv-003");
  await dialog.getByRole("button", { name: "Duplicate part 1" }).first().press("Enter");
  await expect(values).toHaveCount(2);
  await expect(fields.last()).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(values.last()).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ham-hv-004");
  await expectAccessible(page);
  await dialog.getByRole("tab", { name: "JSON" }).press("Enter");
  await dialog.getByRole("tab", { name: "Conditions" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByLabel("Filter as JSON")).toHaveValue(/ham-hv-004/);
  await dialog.getByRole("button", { name: "Apply" }).press("Enter");
  await expect(page.getByText("2 objects", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("2 objects", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Advanced filter", exact: true }).click();
  await expect(dialog.getByRole("textbox", { name: "Value" }).last()).toHaveValue("ham-hv-004");
  await dialog.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByText("384 objects", { exact: true })).toBeVisible();
});

test("what the builder cannot show stays JSON", async ({ page }) => {
  await logIn(page, SERVERS);
  await page.getByRole("button", { name: "Advanced filter", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Advanced filter" });
  await dialog.getByRole("tab", { name: "JSON" }).click();
  const json = dialog.getByLabel("Filter as JSON");
  await json.fill("nonsense");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog.getByText(/Enter a JSON object/)).toBeVisible();
  await json.fill(
    '{"fields.hostname": {"$regex": "^ham-hv-00[34]$"}, "fields.cores": {"$gte": 1}}',
  );
  await dialog.getByRole("tab", { name: "Conditions" }).click();
  await expect(dialog.getByText(/This part can be edited only as JSON/)).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Value" })).toHaveValue("1");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("2 objects", { exact: true })).toBeVisible();
  await expect(page.getByText("Processor cores is at least “1”")).toBeVisible();
});

test("a filter without a value says what is missing; German and dark", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.addInitScript(() => localStorage.setItem("stockroom.language", "de"));
  await logIn(page, SERVERS);
  await page.getByRole("button", { name: "Erweiterter Filter" }).click();
  const dialog = page.getByRole("dialog", { name: "Erweiterter Filter" });
  await dialog.getByRole("button", { name: "Bedingung hinzufügen" }).click();
  await dialog.getByRole("button", { name: "Anwenden" }).click();
  await expect(dialog.getByText("Geben Sie für jede Bedingung einen Wert ein.")).toBeVisible();
  await expectAccessible(page);
});

test("a day, a reference and an option are asked for with their own controls", async ({ page }) => {
  await logIn(page, SERVERS);
  const add = async (field: string, operator: string) => {
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("button", { name: /Field$/ }).click();
    await page.getByRole("option", { name: field, exact: true }).click();
    await page.getByRole("button", { name: /Condition$/ }).click();
    await page.getByRole("option", { name: operator, exact: true }).click();
  };
  await add("Bought on", "is at least");
  await page.getByRole("textbox", { name: "Value" }).fill("2022-01-01");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Bought on is at least “2022-01-01”")).toBeVisible();
  await add("Status", "is one of");
  await page.getByRole("combobox", { name: "Add to Value" }).fill("In repair");
  await page.getByRole("option", { name: /^In repair/ }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Status is one of “In repair”")).toBeVisible();
  await add("Rack", "is");
  await page.getByRole("combobox", { name: "Value" }).fill("HAM-R01");
  const option = page.getByRole("option").first();
  await expect(option).toBeVisible();
  await option.click();
  await page.getByRole("button", { name: "Apply" }).click();
  // By its name, not by its number.
  await expect(page.getByText(/^Rack is “[^”]*\D[^”]*”/)).toBeVisible();
});

test("many keys are pasted into a filter by a reference", async ({ page }) => {
  await logIn(page, SERVERS);
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("button", { name: /Field$/ }).click();
  await page.getByRole("option", { name: "Rack", exact: true }).click();
  await page.getByRole("button", { name: /Condition$/ }).click();
  await page.getByRole("option", { name: "is one of", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Add filter" });
  await form.getByRole("combobox", { name: "Value" }).evaluate((element) => {
    const data = new DataTransfer();
    data.setData("text/plain", "HAM-R01\nHAM-R02\nno such rack\n");
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
    element.dispatchEvent(paste);
  });
  await expect(form.getByRole("alert")).toHaveText("Not found: no such rack");
  await expect(form.getByRole("listitem")).toHaveText([/HAM-R01/, /HAM-R02/]);
  await expectAccessible(page);
  await form.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/^Rack is one of “HAM-R01[^”]*”, “HAM-R02/)).toBeVisible();
});

test("a filter that came as JSON shows what it asks for", async ({ page }) => {
  const filter = JSON.stringify({ "fields.hostname": { $in: ["ham-hv-003", "ham-hv-004"] } });
  // As the address has texts that could be something else.
  const text = encodeURIComponent(JSON.stringify(filter));
  await logIn(page, `${SERVERS}&filter=${text}`);
  await expect(page.getByText(/is one of “ham-hv-003”, “ham-hv-004”$/)).toBeVisible();
});
