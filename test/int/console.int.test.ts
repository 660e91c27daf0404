/**
 * Goal: a desk can work from the console: it sees who comes, lets them in, and sees what happens
 * elsewhere without a reload. Method: real bookings of guests with hostile, long and right-to-left
 * names; Chromium with and without script, by mouse and by keyboard, on every width.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { barriersOn, openBrowser } from "../support/browser.ts";
import {
  type Booking,
  bookingBody,
  newHold,
  newKey,
  propertyBody,
  putOnSale,
  type StayRequest,
} from "../support/client.ts";
import { hiddenFields, signedIn } from "../support/console.ts";
import { enter } from "../support/console-browser.ts";
import { Service } from "../support/service.ts";

const ZONE = "Europe/Madrid";
const HOSTILE = `"><img src=x onerror=alert(1)> O'Neil & Söhne`;
const LONG = "Maximiliane ".repeat(16).trim();
const ARABIC = "عمر الخيام";

let service: Service;
let browser: Browser;
const hotel = {
  ...propertyBody({ units: [20], timezone: ZONE }),
  ...{ name: `Hotel ${HOSTILE}`, checkin_time: "00:00" },
};

function stayTonight(nights: number): StayRequest {
  const today = todayIn(ZONE, Date.now());
  const [room] = hotel.room_types;
  return {
    ...{ hotel_id: hotel.id, room_type_id: room!.id, rate_plan_id: room!.rate_plans[0]!.id },
    stay: { check_in: dateOf(today), check_out: dateOf(today + nights) },
    guests: { adults: 2 },
  };
}

async function booked(full_name: string, nights = 2): Promise<Booking> {
  const hold = await newHold(service, stayTonight(nights));
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const guest = { primary: { full_name, email: "guest@example.com" } };
  const body = { ...bookingBody(hold), guest };
  return (await service.api("POST", "/v1/bookings", { headers, body })).ok<Booking>(201).data;
}

async function stateOf({ booking_id }: Booking): Promise<string> {
  const agent = service.demo.admin;
  const answer = await service.api("GET", `/v1/bookings/${booking_id}`, { agent });
  return answer.ok<{ state: string }>().data.state;
}

/** A tab of a signed-in operator, with what its console says against the pages. */
async function tab() {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(service.baseUrl)) return route.continue();
    faults.push(`asks ${url}`);
    return route.abort();
  });
  await enter(page, service);
  return { page, faults };
}

const live = (page: Page) => page.locator('#live[data-state="live"]').waitFor();

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ TRUSTED_PROXIES: "1" }), openBrowser()]);
  await putOnSale(service, hotel);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

test("a newcomer checks a guest in within a minute, from the link that the command prints", async () => {
  const guest = await booked("Ada Lovelace");
  const startedMs = performance.now();
  const child = Bun.spawn([process.execPath, "src/ops/main.ts", "console"], {
    env: {
      ...process.env,
      DATA_DIR: service.dataDir,
      INNKEEP_URL: service.baseUrl,
      INNKEEP_SECRET: service.demo.admin.secret,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { pathname, hash } = new URL((await child.stdout.text()).trim());
  expect(await child.exited).toBe(0);
  const page = await browser.newPage();
  await page.goto(service.baseUrl + pathname + hash);
  const row = page.getByRole("row", { name: /Ada Lovelace/ });
  await row.getByRole("button", { name: "Check in" }).click();
  await page.locator(`#${guest.booking_id}`, { hasText: "checked in" }).waitFor();
  console.log(`link to checked in: ${Math.round(performance.now() - startedMs)} ms`);
  expect(await stateOf(guest)).toBe("checked_in");
  expect(page.url()).toBe(`${service.baseUrl}/console`);
  await page.close();
});

test("what happens elsewhere appears without a reload, and leaves what is being typed", async () => {
  const { page, faults } = await tab();
  await live(page);
  const grace = await booked("Grace Hopper");
  const row = page.locator(`#${grace.booking_id}`);
  await row.waitFor();
  const agent = service.demo.admin;
  const headers = { "idempotency-key": newKey() };
  const path = `/v1/admin/bookings/${grace.booking_id}/check-in`;
  (await service.api("POST", path, { agent, headers })).ok();
  await row.locator("text=checked in").waitFor();
  await page.goto(`${service.baseUrl}/console/bookings`);
  await live(page);
  await page.locator("#search").fill("half a na");
  const alan = await booked("Alan Turing");
  await page.locator(`#${alan.booking_id}`).waitFor();
  expect(await page.locator("#search").inputValue()).toBe("half a na");
  await page.goto(`${service.baseUrl}/console/events`);
  await live(page);
  const edsger = await booked("Edsger Dijkstra");
  await page.locator("#events td code", { hasText: edsger.booking_id }).first().waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

test("a page whose session has ended leads to the sign-in when something happens", async () => {
  const { page } = await tab();
  await live(page);
  const [cookie] = await page.context().cookies();
  const person = await signedIn(service);
  person.cookie = `${cookie!.name}=${cookie!.value}`;
  await person.submit("/console/bookings", "/console/sign-out");
  await booked("Barbara Liskov");
  await page.waitForURL("**/console/sign-in**");
  await page.close();
});

test("a booking is found by code, guest and id, and no address or title names the guest", async () => {
  const guest = await booked("Katherine Johnson");
  const { page, faults } = await tab();
  for (const sought of [
    `${guest.confirmation_code.slice(0, 4).toLowerCase()} ${guest.confirmation_code.slice(4)}`,
    guest.confirmation_code,
    "katherine  JOHNSON",
    "johns",
    guest.booking_id,
  ]) {
    await page.goto(`${service.baseUrl}/console`);
    await page.keyboard.press("/");
    await page.locator("#search").waitFor();
    await page.locator("#search").fill(sought);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/console/bookings/${guest.booking_id}`);
    expect(await page.title()).toBe("Booking · Innkeep");
  }
  await page.goto(`${service.baseUrl}/console/bookings`);
  await page.getByText("arriving in the next 7 days").waitFor();
  await page.locator("#search").fill("guest@example.com");
  await page.keyboard.press("Enter");
  await page.locator(`#${guest.booking_id}`).waitFor();
  expect(page.url()).toBe(`${service.baseUrl}/console/bookings`);
  expect(faults).toEqual([]);
  await page.close();
});

test("a cancellation shows fee and refund first, and does what it showed", async () => {
  const guest = await booked("Annie Easley");
  const { page, faults } = await tab();
  await page.goto(`${service.baseUrl}/console/bookings/${guest.booking_id}`);
  await page.getByRole("link", { name: "Cancel…" }).click();
  await page.getByText("The fee is €200.00; the guest gets €0.00 back.").waitFor();
  await page.getByLabel("Reason, for the hotel's records").fill("The roof leaks");
  await page.getByLabel("Waive the fee").check();
  await page.getByRole("button", { name: "Cancel the booking" }).click();
  await page.locator("h1", { hasText: "cancelled" }).waitFor();
  const agent = service.demo.admin;
  const path = `/v1/bookings/${guest.booking_id}`;
  const { cancellation } = (await service.api("GET", path, { agent })).ok<{
    cancellation: { refund: { amount: number }; note: string };
  }>().data;
  expect(cancellation).toMatchObject({ refund: { amount: 20_000 }, note: "The roof leaks" });
  expect(faults).toEqual([]);
  await page.close();
});

test("a deed that the API refuses is told with its reason and trace, and offered again", async () => {
  const guest = await booked("Rosalind Franklin");
  const person = await signedIn(service);
  const at = `/console/bookings/${guest.booking_id}`;
  const agent = service.demo.admin;
  const path = `/v1/admin/bookings/${guest.booking_id}`;
  const headers = { "idempotency-key": newKey() };
  const open = await person.get(at);
  (await service.api("POST", `${path}/check-in`, { agent, headers })).ok();
  const refused = await person.send(`${at}/no-show`, {
    ...hiddenFields((await person.get(`${at}/no-show`)).html, `${at}/no-show`),
  });
  expect(refused.status).toBe(409);
  expect(refused.html).toMatch(/conflict: \w+<\/code> · trace <code>[0-9a-f]{32}/);
  expect(open.html).toContain("confirmed");
});

test("the console works without script", async () => {
  const guest = await booked(HOSTILE);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/console`);
  await page.getByLabel("Operator's secret").fill(service.demo.admin.secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/console");
  await page.locator(`#${guest.booking_id}`).getByRole("button", { name: "Check in" }).click();
  await page.locator(`#${guest.booking_id}`, { hasText: "checked in" }).waitFor();
  expect(await stateOf(guest)).toBe("checked_in");
  await context.close();
});

test("no page has a barrier, is wider than the screen, or takes the words of a guest for its own", async () => {
  const guests = [await booked(HOSTILE), await booked(LONG), await booked(ARABIC)];
  const { page, faults } = await tab();
  const at = `/console/bookings/${guests[0]!.booking_id}`;
  const paths = [
    "/console",
    "/console/bookings",
    "/console/events",
    at,
    `${at}/cancel`,
    `${at}/no-show`,
  ];
  for (const path of paths) {
    await page.goto(service.baseUrl + path);
    for (const [width, colorScheme] of [
      [320, "dark"],
      [768, "light"],
      [1440, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 1000 });
      await page.emulateMedia({ colorScheme });
      const seen = { path, width };
      expect({ ...seen, barriers: await barriersOn(page) }).toEqual({ ...seen, barriers: [] });
      const isWide = await page.evaluate<boolean>(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      expect({ ...seen, isWide }).toEqual({ ...seen, isWide: false });
    }
  }
  await page.goto(`${service.baseUrl}/console`);
  for (const name of [HOSTILE, LONG, ARABIC]) {
    expect(await page.getByText(name, { exact: true }).count()).toBeGreaterThan(0);
  }
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

test("keys lead to pages, but not while one types", async () => {
  const { page } = await tab();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL("**/console/events");
  await page.getByLabel("Subject").fill("g");
  await page.keyboard.type("b");
  expect(page.url()).toEndWith("/console/events");
  await page.close();
});

test("an open page says when the engine does not answer, and when it does again", async () => {
  const { page } = await tab();
  await live(page);
  const { supervisor, engine } = service.pids;
  // The supervisor would replace the engine.
  const stopped = [supervisor!, engine!];
  const status = page.locator('#live[data-state="stopped"]');
  try {
    for (const pid of stopped) process.kill(pid, "SIGSTOP");
    await status.filter({ hasText: "the engine does not answer" }).waitFor();
  } finally {
    for (const pid of stopped.reverse()) process.kill(pid, "SIGCONT");
  }
  await live(page);
  await page.close();
});
