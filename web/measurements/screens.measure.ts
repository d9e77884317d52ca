/** What people wait for in a large inventory. See CONTRIBUTING.md. */
import { type Browser, type Page, test } from "@playwright/test";
import { type Figure, report } from "./report";
import { prepare, settle, timed, timedFromNow } from "./watch";

const USER = process.env["STOCKROOM_USER"] ?? "admin";
const PASSWORD = process.env["STOCKROOM_PASSWORD"] ?? "stockroom-demo";
const SAMPLES = Number(process.env["MEASURE_SAMPLES"] ?? 20);
/** The names of functions below; all if it is not set. */
const ONLY = process.env["MEASURE_ONLY"];
const FIELDS = 3;
const PAGE_DOWNS = 10;

interface Subject {
  type: number;
  count: number;
  /** Columns that have values, by their positions. */
  columns: { label: string; position: number }[];
}

test("what people wait for", async ({ browser }) => {
  const first = await logIns(browser);
  const page = first.page;
  const subject = await largestType(page);
  const measurements = [openTable, scrolls, sorts, filters, palette, openObject, saveForm];
  const wanted = measurements.filter(({ name }) => !ONLY || ONLY.split(",").includes(name));
  const figures = [...first.figures];
  for (const measure of wanted) figures.push(...(await measure(page, subject)));
  const head = `First load: ${first.bytes.toLocaleString("en-GB")} bytes compressed. Table: ${subject.count.toLocaleString("en-GB")} objects.`;
  process.stdout.write(`\n${head}\n\n${report(figures)}\n`);
});

async function repeat(count: number, sample: (round: number) => Promise<number>) {
  const samples: number[] = [];
  for (let round = 0; round < count; round += 1) samples.push(await sample(round));
  return samples;
}

/** Each in a browser without a cache. The last one stays. */
async function logIns(browser: Browser) {
  const pages: Page[] = [];
  let bytes = 0;
  const loads: number[] = [];
  const samples = await repeat(SAMPLES, async () => {
    await pages.at(-1)?.context().close();
    const page = await (await browser.newContext()).newPage();
    pages.push(page);
    await prepare(page);
    await page.goto("/");
    const button = page.getByRole("button", { name: "Log in" });
    await button.waitFor();
    const [sum, paint] = await page.evaluate(() => {
      const entries = [
        ...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource"),
      ] as PerformanceResourceTiming[];
      const loaded = entries.filter(({ name }) => !name.includes("/rest/"));
      const paints = performance.getEntriesByName("first-contentful-paint");
      return [loaded.reduce((all, one) => all + one.transferSize, 0), paints[0]?.startTime ?? 0];
    });
    bytes = sum ?? 0;
    loads.push(paint ?? 0);
    await page.getByLabel("User name").fill(USER);
    await page.getByLabel("Password").fill(PASSWORD);
    return timed(page, { selector: "header a", path: "/" }, () => button.press("Enter"));
  });
  const page = pages.at(-1);
  if (!page) throw new Error("MEASURE_SAMPLES must be at least 1");
  const figures: Figure[] = [
    { name: "First load, until something is painted", samples: loads },
    { name: "Log in, until the first screen is complete", samples },
  ];
  return { page, bytes, figures };
}

async function largestType(page: Page): Promise<Subject> {
  const body = { group_by: [{ field: "type_id" }], limit: 1_000 };
  const counted = await page.evaluate(async (data) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(data) };
    return (await fetch("rest/objects/aggregate", init)).json();
  }, body);
  const results = counted.results as { key: number[]; count: number }[];
  const [most] = results.toSorted((left, right) => right.count - left.count);
  if (!most) throw new Error("there are no objects");
  const type = most.key[0] ?? 0;
  await openList(page, type);
  const heads = page.getByRole("columnheader");
  const labels = await heads.allInnerTexts();
  const cells = await page.locator('[role="row"][aria-rowindex="2"] [data-cell]').allInnerTexts();
  const columns = cells
    .map((text, position) => ({ text, position, label: labels[position + 1] ?? "" }))
    .filter(({ text, position }) => position > 0 && /\w/.test(text))
    .slice(0, FIELDS);
  return { type, count: most.count, columns };
}

const LIST = (type: number) => `/objects?type=${type}&sort=public_id`;

async function openList(page: Page, type: number) {
  await page.goto(LIST(type));
  await page.locator('[role="gridcell"] a').first().waitFor();
  await settle(page);
}

async function openTable(page: Page, { type }: Subject): Promise<Figure[]> {
  const samples = await repeat(SAMPLES, async () => {
    await page.goto("/");
    const link = page.locator(`a[href*="type=${type}"]`).first();
    // Trees list what is on the screen alone.
    await link.scrollIntoViewIfNeeded();
    await settle(page);
    return timed(page, { path: `type=${type}`, rows: true }, () => link.click());
  });
  return [{ name: "Open the table", samples }];
}

async function scrolls(page: Page, { type }: Subject): Promise<Figure[]> {
  const rows = { rows: true };
  const end = await repeat(SAMPLES, async () => {
    await openList(page, type);
    await page.locator('[data-cell="0/1"]').click();
    return timed(page, rows, () => page.keyboard.press("ControlOrMeta+End"));
  });
  const downs: number[] = [];
  while (downs.length < SAMPLES) {
    await openList(page, type);
    await page.locator('[data-cell="0/1"]').click();
    for (let press = 0; press < PAGE_DOWNS; press += 1) {
      downs.push(await timed(page, rows, () => page.keyboard.press("PageDown")));
    }
  }
  await openList(page, type);
  const middle = await repeat(SAMPLES, (round) =>
    timedFromNow(page, rows, 0.3 + (0.4 * round) / SAMPLES),
  );
  return [
    { name: "Scroll to the end", samples: end },
    { name: "Page down", samples: downs },
    { name: "Jump near the middle", samples: middle },
  ];
}

async function sorts(page: Page, { type, columns }: Subject): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { label, position } of columns) {
    const samples = await repeat(SAMPLES, async () => {
      await openList(page, type);
      const head = page.locator(`[role="columnheader"][aria-colindex="${position + 2}"] button`);
      const selector = `[aria-colindex="${position + 2}"][aria-sort="ascending"]`;
      return timed(page, { selector, rows: true }, () => head.click());
    });
    figures.push({ name: `Sort by ${label}`, samples });
  }
  return figures;
}

/** Asks for what a row in the middle has, so that each answer is another one. */
async function filters(page: Page, { type, columns }: Subject): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { label, position } of columns) {
    const samples = await repeat(SAMPLES, async (round) => {
      await openList(page, type);
      const cell = page.locator(`[data-cell="${round}/${position}"]`);
      const value = (await cell.innerText()).trim();
      await page.getByRole("button", { name: "Add filter" }).click();
      const form = page.getByRole("dialog", { name: "Add filter" });
      await form.getByRole("button", { name: /Field$/ }).click();
      await page.getByRole("option", { name: label, exact: true }).click();
      await form.getByRole("button", { name: /Condition$/ }).click();
      await page.getByRole("option", { name: "is", exact: true }).click();
      const text = form.getByRole("textbox", { name: "Value" });
      if (await text.isVisible()) await text.fill(value);
      await settle(page);
      const apply = form.getByRole("button", { name: "Apply" });
      return timed(page, { path: "where=", rows: true }, () => apply.press("Enter"));
    });
    figures.push({ name: `Filter by ${label}`, samples });
  }
  return figures;
}

async function palette(page: Page, { type, columns }: Subject): Promise<Figure[]> {
  await openList(page, type);
  const position = columns[0]?.position ?? 1;
  const text = (await page.locator(`[data-cell="7/${position}"]`).innerText()).trim().slice(0, 12);
  const samples: number[] = [];
  while (samples.length < 2 * SAMPLES) {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog").waitFor();
    for (const letter of text) {
      samples.push(await timed(page, {}, () => page.keyboard.type(letter)));
    }
    await page.keyboard.press("Escape");
    await openList(page, type);
  }
  return [{ name: "Find in the palette, each letter", samples }];
}

async function openObject(page: Page, { type }: Subject): Promise<Figure[]> {
  const samples = await repeat(SAMPLES, async (round) => {
    await openList(page, type);
    const link = page.locator(`[role="row"][aria-rowindex="${2 + (round % 15)}"] a`).first();
    const path = (await link.getAttribute("href")) ?? "";
    return timed(page, { path, selector: "main h1" }, () => link.click());
  });
  return [{ name: "Open an object", samples }];
}

/** An even number of times, so that the object is what it was. */
async function saveForm(page: Page, { type }: Subject): Promise<Figure[]> {
  await openList(page, type);
  const link = page.locator('[role="row"][aria-rowindex="2"] a').first();
  const path = (await link.getAttribute("href")) ?? "";
  let original: string | undefined;
  const samples = await repeat(SAMPLES + (SAMPLES % 2), async () => {
    await page.goto(`${path}/edit`);
    const input = page.locator("main form input[type=text]").first();
    const before = await input.inputValue();
    original ??= before;
    const other = `${original.slice(0, -1)}${original.endsWith("0") ? 1 : 0}`;
    await input.fill(before === original ? other : original);
    await settle(page);
    const save = page.getByRole("button", { name: "Save", exact: true });
    const sample = await timed(page, { selector: "[role=tab]" }, () => save.press("Enter"));
    await settle(page);
    return sample;
  });
  return [{ name: "Save a form", samples }];
}
