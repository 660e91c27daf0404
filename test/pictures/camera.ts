/** Opens the pages of the scene in Chromium and keeps what they look like. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { openConsole } from "../support/console-browser.ts";
import type { Service } from "../support/service.ts";
import type { Scene } from "./scene.ts";

const FOLDER = join(import.meta.dir, "../../src/publish/docs/pictures");
const SCREEN = { width: 1280, height: 800 };
const BYTES_MAX = 80 * 1024;
const QUALITIES = [85, 80, 75, 70, 60, 50, 40];

/** Names of the pictures, and what is on them. */
function pagesOf({ hotelId, bookingId, incidentId, deliveryId, checkout }: Scene) {
  return {
    today: `/console?property_id=${hotelId}`,
    booking: `/console/bookings/${bookingId}`,
    calendar: `/console/calendar?property_id=${hotelId}`,
    incident: `/console/incidents/${incidentId}`,
    "dead-letter": `/console/deliveries/${deliveryId}`,
    figures: `/console/figures?property_id=${hotelId}&month=2026-11`,
    checkout,
  };
}

/** The page as WebP, as good as the size allows. */
async function taken(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const bytes = Buffer.from(data, "base64");
    if (bytes.length <= BYTES_MAX) return bytes;
  }
  throw new Error(`more than ${BYTES_MAX} bytes at any quality`);
}

/** Addresses of this machine become those of an example. */
async function redact(page: Page, from: string, to: string): Promise<void> {
  await page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      node.data = node.data.replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)});
    }
  })()`);
}

/** Takes every picture, in the folder of the guides. */
export async function takeAll(service: Service, scene: Scene): Promise<void> {
  const browser = await openBrowser();
  const tab = await openConsole(browser, service, service.demo.admin);
  const { cookies } = await tab.context().storageState();
  const context = await browser.newContext({ viewport: SCREEN });
  await context.addCookies(cookies);
  const page = await context.newPage();
  for (const [name, path] of Object.entries(pagesOf(scene))) {
    await page.goto(service.baseUrl + path);
    await redact(page, scene.receiver.url, "https://pms.example.com/hooks");
    await redact(page, new URL(scene.receiver.url).hostname, "203.0.113.7");
    await redact(page, service.baseUrl, "https://innkeep.example.com");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      writeFileSync(join(FOLDER, `${name}-${colorScheme}.webp`), await taken(page));
    }
  }
  await browser.close();
}
