import { expect, logIn, test } from "../tests/server";
import { VARIANTS } from "./variants";

test.use({ inventory: "empty" });

for (const { title, options, pathOf } of VARIANTS) {
  test.describe(title, () => {
    test.use(options);

    test("an empty inventory", async ({ page }) => {
      await logIn(page);
      await expect(page.getByRole("heading", { name: "Set up your inventory" })).toBeVisible();
      await page.screenshot({ path: pathOf("begin") });
    });
  });
}
