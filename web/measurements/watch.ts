/** Measures in the page: from an input event to the frame that shows its result. */
import type { Page } from "@playwright/test";

/** What must be on the screen. Parts that are left out need not hold. */
export interface Shown {
  /** An element that is visible. */
  selector?: string;
  /** A text of this element. */
  text?: string;
  /** Another address. */
  path?: string;
  /** Every row of the table that is on the screen has its values. */
  rows?: boolean;
}

interface Watcher {
  /** Requests to the API that have no answer yet. */
  pending: number;
  begin: (wanted: Shown, startsNow: boolean) => void;
  end: () => Promise<number>;
}

declare global {
  interface Window {
    watcher: Watcher;
  }
}

/** Prepares each page of a browser. */
export async function prepare(page: Page) {
  await page.addInitScript(() => {
    const ask = window.fetch.bind(window);
    // The feed of changes is always open.
    const counts = (input: RequestInfo | URL) => {
      const url = input instanceof Request ? input.url : String(input);
      return url.includes("/rest/") && !url.includes("/rest/changes");
    };
    window.fetch = async (input, init) => {
      if (!counts(input)) return ask(input, init);
      window.watcher.pending += 1;
      try {
        return await ask(input, init);
      } finally {
        // Not before the page had a chance to read the answer.
        setTimeout(() => {
          window.watcher.pending -= 1;
        });
      }
    };
    const isLoaded = (row: Element, frame: DOMRect) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom <= frame.top || top >= frame.bottom || row.querySelector("a") !== null;
    };
    const hasRows = () => {
      const scroller = document.querySelector('[role="grid"]')?.parentElement;
      if (!scroller || scroller.dataset["stale"] === "true") return false;
      const rows = [...scroller.querySelectorAll('[role="row"]')].slice(1);
      const frame = scroller.getBoundingClientRect();
      return rows.length > 0 && rows.every((row) => isLoaded(row, frame));
    };
    const isShown = ({ selector, text, path, rows }: Shown) => {
      const found = selector === undefined ? undefined : document.querySelector(selector);
      if (found === null || (text !== undefined && !found?.textContent?.includes(text)))
        return false;
      if (path !== undefined && !(location.pathname + location.search).includes(path)) return false;
      return window.watcher.pending === 0 && (!rows || hasRows());
    };
    const frame = () => new Promise(requestAnimationFrame);
    let result: Promise<number> = Promise.resolve(0);
    const watch = async (start: number, wanted: Shown) => {
      // A request begins after the frame in which the page took notice of the event.
      await frame();
      await frame();
      const limit = start + 60_000;
      while (!isShown(wanted)) {
        if (performance.now() > limit) throw new Error(`not shown: ${JSON.stringify(wanted)}`);
        await frame();
      }
      const there = performance.now();
      await frame();
      await frame();
      return Math.max(performance.now(), there) - start;
    };
    window.watcher = {
      pending: 0,
      begin: (wanted, startsNow) => {
        result = new Promise((resolve, reject) => {
          const begin = (event: { timeStamp: number }) => {
            removeEventListener("keydown", begin, true);
            removeEventListener("pointerdown", begin, true);
            watch(event.timeStamp, wanted).then(resolve, reject);
          };
          if (startsNow) return begin({ timeStamp: performance.now() });
          addEventListener("keydown", begin, true);
          addEventListener("pointerdown", begin, true);
        });
        // Who waits for it hears of it.
        result.catch(() => undefined);
      },
      end: () => result,
    };
  });
}

/** Milliseconds from the input that `act` causes until `wanted` is painted. */
export async function timed(page: Page, wanted: Shown, act: () => Promise<unknown>) {
  await page.evaluate((shown) => window.watcher.begin(shown, false), wanted);
  await act();
  return page.evaluate(() => window.watcher.end());
}

/** The same from now on, for what has no key and no button. */
export async function timedFromNow(page: Page, wanted: Shown, scrollTo: number) {
  await page.evaluate(
    ({ shown, to }) => {
      window.watcher.begin(shown, true);
      const scroller = document.querySelector('[role="grid"]')?.parentElement;
      if (scroller) scroller.scrollTop = scroller.scrollHeight * to;
    },
    { shown: wanted, to: scrollTo },
  );
  return page.evaluate(() => window.watcher.end());
}

/** Waits until nothing is asked for any more. */
export async function settle(page: Page) {
  await page.waitForFunction(() => window.watcher.pending === 0);
}
