/**
 * Goal: anybody can read the checkout page and book on it, in a browser without script too,
 * whatever hotels are called. Method: Chromium with JavaScript off; axe on every state of the page,
 * at the width of a phone and of a desk, light and dark.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { handedOver, pageOf } from "../support/checkout.ts";
import { type Hotel, newHold, propertyBody, putOnSale, stayRequest } from "../support/client.ts";
import { Service } from "../support/service.ts";

const HOSTILE = `"><img src=x onerror=alert(1)> O'Neil & Söhne`;
const ARABIC = "فندق عمر الخيام";
const LONG = "Extraordinarily comfortable ".repeat(5).trim();
const BYTES_MAX = 20_000;

let service: Service;
let browser: Browser;
let sold: Hotel;
const hotel = { ...propertyBody({ units: [50] }), name: `${HOSTILE} ${ARABIC}` };
hotel.room_types[0]!.name = LONG;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ TRUSTED_PROXIES: "1" }), openBrowser()]);
  sold = await putOnSale(service, hotel);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function open() {
  const hold = await newHold(service, stayRequest(sold));
  const session = await handedOver(service, hold);
  return { hold, session, url: service.baseUrl + pageOf(session) };
}

async function fillIn(page: Page, card: string): Promise<void> {
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Pay with").selectOption(card);
  await page.getByRole("button", { name: "Pay" }).click();
}

/** Axe needs script, so it looks at the address again, in a tab that has it. */
async function expectOpenToAll(url: string): Promise<void> {
  const page = await browser.newPage();
  for (const width of [320, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      const seen = { url, width, colorScheme };
      expect({ ...seen, barriers: await barriersOn(page) }).toEqual({ ...seen, barriers: [] });
      const isWide = await page.evaluate<boolean>(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      expect({ ...seen, isWide }).toEqual({ ...seen, isWide: false });
    }
  }
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  await page.close();
}

test("a person books without script, after a declined card, and finds the outcome again", async () => {
  const { url } = await open();
  await expectOpenToAll(url);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  let bytes = 0;
  const hosts = new Set<string>();
  page.on("response", (response) => hosts.add(new URL(response.url()).host));
  page.on("requestfinished", async (request) => {
    bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  expect(bytes).toBeLessThan(BYTES_MAX);
  expect(await page.locator("h1").textContent()).toBe("Book your stay");
  expect(await page.getByText(hotel.name, { exact: true }).count()).toBe(1);
  await page.getByLabel("E-mail").fill("ada@");
  await page.getByRole("button", { name: "Keep the room longer" }).click();
  await page.getByText("for 29 minutes").waitFor();
  expect(await page.getByLabel("E-mail").inputValue()).toBe("ada@");
  await fillIn(page, "declined");
  expect(await page.getByRole("alert").textContent()).toContain("The card was declined");
  expect(await page.getByLabel("Full name").inputValue()).toBe("Ada Lovelace");
  await fillIn(page, "ok");
  await page.waitForURL(url);
  expect(await page.locator("h1").textContent()).toBe("Your stay is booked");
  expect(await page.getByText("You pay when booking").count()).toBe(0);
  const code = await page.locator(".lead code").textContent();
  await page.reload();
  expect(await page.locator(".lead code").textContent()).toBe(code);
  expect([...hosts]).toEqual([new URL(url).host]);
  expect(page.frames()[0]!.url()).toBe(url);
  await context.close();
  await expectOpenToAll(url);
});

test("pages that have ended, and that never were, are open to all", async () => {
  const { hold, url } = await open();
  (await service.api("POST", `/v1/holds/${hold.hold_id}/release`)).ok();
  await expectOpenToAll(url);
  await expectOpenToAll(url.replace(/.{64}$/, "0".repeat(64)));
});

test("a double click pays once, and Back leads to the outcome", async () => {
  const { session, url } = await open();
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Pay" }).dblclick();
  await page.getByText("Your stay is booked").waitFor();
  await page.goBack();
  await page.getByText("Your stay is booked").waitFor();
  const found = await service.api("GET", `/v1/bookings?hold_id=${session.hold_id}`);
  expect(found.ok<{ items: readonly object[] }>().data.items).toHaveLength(1);
  await page.close();
});
