import { defineConfig } from "@playwright/test";

/** `npm run measure`: what people wait for, in a browser of their own, against a running server. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.measure.ts",
  outputDir: "../test-results",
  workers: 1,
  // As long as it takes; each wait has a limit of its own.
  timeout: 0,
  reporter: "line",
  use: {
    baseURL: process.env["STOCKROOM_URL"] ?? "http://127.0.0.1:4000",
    browserName: "chromium",
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" },
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    actionTimeout: 60_000,
  },
});
