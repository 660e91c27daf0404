/** Pages in a slow Chromium: when they are painted, whether they move, and edits of cells. */
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../test/support/browser.ts";
import type { Installation } from "./installation.ts";
import type { PageVisit } from "./page-visits.ts";

const CPU_SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: (0.75 * 1_000_000) / 8,
} as const;
const LOADS = 3;
const EDITS = 8;
/** The last paint of a page that is at rest, and the end of an event's frame. */
const REST_MS = 500;

/** Painted figures of one load. */
export interface Painted {
  readonly lcpMs: number;
  /** Sum of layout shifts. */
  readonly shift: number;
}

/** What a page observes of itself, from its first moment. */
const OBSERVE = `
  window.seen = { lcpMs: 0, shift: 0, inpMs: 0 };
  const watch = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note))
      .observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", (entry) => { seen.lcpMs = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("event", (entry) => {
    if (entry.interactionId) seen.inpMs = Math.max(seen.inpMs, entry.duration);
  }, { durationThreshold: 16 });
`;

interface Seen extends Painted {
  readonly inpMs: number;
}

/** Chromium with a session of the operator; null, with the reason, where there is none. */
export async function browserOrReason(): Promise<Browser | string> {
  try {
    return await openBrowser();
  } catch (error) {
    return `Chromium could not be started: ${(error as Error).message}`;
  }
}

/** A slow tab with an empty cache, as the visitor of a page. */
async function slowTab(browser: Browser, copy: Installation, visit: PageVisit): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 412, height: 915 } });
  const page = await context.newPage();
  if (visit.headers.cookie !== undefined) {
    const [name = "", value = ""] = visit.headers.cookie.split("=");
    const { hostname } = new URL(copy.baseUrl);
    const kept = {
      name,
      value,
      url: `https://${hostname}`,
      secure: true,
      sameSite: "Strict",
    } as const;
    await context.addCookies([kept]);
  }
  await page.addInitScript(OBSERVE);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", NETWORK);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  return page;
}

async function seenOn(page: Page): Promise<Seen> {
  await page.waitForTimeout(REST_MS);
  return page.evaluate<Seen>("window.seen");
}

/** Several first loads of a page; the median paint and the greatest shift. */
export async function paintedPage(
  browser: Browser,
  copy: Installation,
  visit: PageVisit,
): Promise<Painted[]> {
  const loads: Painted[] = [];
  for (let i = 0; i < LOADS; i += 1) {
    const page = await slowTab(browser, copy, visit);
    try {
      const answer = await page.goto(copy.baseUrl + visit.path, { waitUntil: "load" });
      if (answer?.status() !== 200 || new URL(page.url()).pathname === "/console/sign-in") {
        throw new Error(`${visit.path} was not shown: ${answer?.status()} at ${page.url()}`);
      }
      const { lcpMs, shift } = await seenOn(page);
      loads.push({ lcpMs, shift });
    } finally {
      await page.context().close();
    }
  }
  return loads;
}

/** How long the slowest of several edits of a calendar's cell took to be painted. */
export async function editedCell(
  browser: Browser,
  copy: Installation,
  visit: PageVisit,
): Promise<number> {
  const page = await slowTab(browser, copy, visit);
  try {
    await page.goto(copy.baseUrl + visit.path, { waitUntil: "load" });
    const cells = page.locator('input[name^="cell:amount"]');
    await cells.first().focus();
    for (let i = 0; i < EDITS; i += 1) {
      await page.keyboard.type("97");
      await page.keyboard.press("ArrowRight");
    }
    const { inpMs } = await seenOn(page);
    return inpMs;
  } finally {
    await page.context().close();
  }
}
