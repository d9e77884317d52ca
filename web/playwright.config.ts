import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: process.env["SCREENSHOTS"] ? "screenshots" : "tests",
  outputDir: "test-results",
  // Each worker starts a server of its own; there is one PostgreSQL database.
  fullyParallel: true,
  workers: process.env["STOCKROOM_TEST_DATABASE"] ? 1 : 2,
  timeout: 60_000,
  // The second try has a new server, and on SQLite new data. A test that passes then is listed as
  // flaky.
  retries: 1,
  reporter: process.env["CI"] ? "dot" : "list",
  use: {
    browserName: "chromium",
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" },
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
  },
});
