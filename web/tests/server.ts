/** A real server with the demo inventory for each worker, and a page that is logged in. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";

const PROGRAM = process.env["STOCKROOM"] ?? "../target/debug/stockroom";
/** PostgreSQL, if it is to be used; `cargo xtask with-postgres` sets it. */
const DATABASE = process.env["STOCKROOM_TEST_DATABASE"];
export const PASSWORD = "correct-horse-battery";
const LISTENS = /http:\/\/127\.0\.0\.1:\d+/;

interface Server {
  url: string;
}

interface WorkerFixtures {
  server: Server;
  /** What the server begins with; another choice needs another server. */
  inventory: "demo" | "empty";
}

interface Fixtures {
  /** What the browser's console said; a test fails if it is not empty at its end. */
  console: string[];
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  inventory: ["demo", { scope: "worker", option: true }],
  server: [
    async ({ inventory }, use) => {
      const data = await mkdtemp(join(tmpdir(), "stockroom-web-"));
      const isDemo = inventory === "demo";
      // The database has the demo's records already.
      const store = DATABASE && isDemo ? ["--database", DATABASE] : ["--data", data];
      const demo = isDemo ? ["--demo"] : [];
      const backups = ["--backup-directory", join(data, "backups")];
      const args = ["serve", ...demo, ...store, ...backups, "--listen", "127.0.0.1:0"];
      const env = { ...process.env, STOCKROOM_ADMIN_PASSWORD: PASSWORD };
      const server = spawn(PROGRAM, args, { env, stdio: ["ignore", "pipe", "pipe"] });
      await use({ url: await address(server) });
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      await rm(data, { recursive: true });
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  console: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on("console", (message) => {
        // The first question who is logged in has no other answer.
        const isExpected = message.location().url.endsWith("/rest/auth/me");
        if (["error", "warning"].includes(message.type()) && !isExpected) said.push(message.text());
      });
      page.on("pageerror", (error) => said.push(String(error)));
      await use(said);
      expect(said).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The address that the server prints once it listens. */
function address(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const found = LISTENS.exec(printed);
      if (found) resolve(found[0]);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
}

export async function logIn(page: Page, path = "/", user = { name: "admin", password: PASSWORD }) {
  await page.goto(path);
  await page.getByLabel(/User name|Benutzername/).fill(user.name);
  await page.getByLabel(/Password|Passwort/).fill(user.password);
  await page.getByRole("button", { name: /Log in|Anmelden/ }).click();
  await expect(page.getByRole("banner")).toBeVisible();
}

/** Expects that axe-core finds nothing serious. */
export async function expectAccessible(page: Page) {
  // Rows of the list before are dimmed until the new ones are there.
  await expect(page.locator("[data-stale=true]")).toHaveCount(0);
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const result = await axe.run(document, { resultTypes: ["violations"] });
    return result.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  });
  expect(violations).toEqual([]);
}
