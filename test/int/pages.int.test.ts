/**
 * Goal: every page is one that people can use. Method: Chromium opens each of them on a phone and
 * on a desk, light and dark; nothing may be wider than the screen, nothing may come from elsewhere,
 * and axe-core looks for barriers. What it looked like is left in `test/screenshots/`.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { GUIDE_NAMES } from "../../src/docs/guides.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { PATIENCE_MS, Service } from "../support/service.ts";

setDefaultTimeout(PATIENCE_MS);

const SCREENSHOTS = join(import.meta.dir, "..", "screenshots");
const WIDTHS = [360, 1440] as const;
const SCHEMES = ["light", "dark"] as const;
/** Below it nobody looks at a picture. */
const PICTURE_HEIGHT_MAX = 3000;
const TABS = 2;

let service: Service;
let browser: Browser;

beforeAll(async () => {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS);
  [service, browser] = await Promise.all([Service.start({ API_PROCESSES: "1" }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** A tab, with whatever it asks others for and whatever its console says against the page. */
async function tab() {
  const page = await browser.newPage();
  const faults: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(service.baseUrl) || url.startsWith("data:")) return route.continue();
    faults.push(`asks ${url}`);
    return route.abort();
  });
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  return { page, faults };
}

/** What is wider than the screen, if the page is. */
const wider = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isOver = (each) => each.getBoundingClientRect().right > width + 1;
    return [...document.body.querySelectorAll("*")].filter(isOver).map((each) => each.outerHTML.slice(0, 120));
  })()`);

async function picture(page: Page, name: string): Promise<void> {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  const { width } = page.viewportSize()!;
  const clip = { x: 0, y: 0, width, height: Math.min(height, PICTURE_HEIGHT_MAX) };
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), clip, fullPage: true });
}

/** Looks at a page that is open; `name` is that of its pictures. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
    // Both schemes and both widths, though not in every pair of them.
    if (width === 360) await page.emulateMedia({ colorScheme: "light" });
    const seen = { name, width };
    expect({ ...seen, wider: await wider(page) }).toEqual({ ...seen, wider: [] });
    const barriers = await barriersOn(page);
    expect({ ...seen, barriers }).toEqual({ ...seen, barriers: [] });
  }
}

const PATHS: Readonly<Record<string, string>> = {
  errors: "/docs/errors",
  error: "/docs/errors/allocation_failed",
  events: "/docs/events",
  event: "/docs/events/booking.confirmed",
  guides: "/docs/guides",
  ...Object.fromEntries(GUIDE_NAMES.map((name) => [`guide-${name}`, `/docs/guides/${name}`])),
};

test("on a phone and on a desk, light and dark, every page fits and has no barriers", async () => {
  const left = Object.entries(PATHS);
  const visit = async () => {
    const { page, faults } = await tab();
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, path] = next;
      const answer = await page.goto(service.baseUrl + path);
      expect({ path, status: answer?.status() }).toEqual({ path, status: 200 });
      await lookAt(page, name);
      expect({ path, faults }).toEqual({ path, faults: [] });
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, visit));
});
