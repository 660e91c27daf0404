/**
 * Goal: a guest books on the hotel's own page, and nobody empties a hotel by its forms. Method: a
 * phone without script from the front page to the confirmed booking; forms that no page sent, that
 * are sent too often, twice, or too late.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { barriersOn, openBrowser } from "../support/browser.ts";
import { createHotel, dateIn, type Hotel } from "../support/client.ts";
import { hiddenFields, Person, type Seen } from "../support/console.ts";
import { Service, until } from "../support/service.ts";

const BYTES_MAX = 20_000;

let service: Service;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start({ TRUSTED_PROXIES: "1" }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

function pageOf({ id }: Pick<Hotel, "id">, lang = "en"): string {
  const stay = { check_in: dateIn(30), check_out: dateIn(32), adults: "2" };
  const query = { ...stay, lang, tenant_id: service.demo.tenant_id };
  return `/book/${id}?${new URLSearchParams(query)}`;
}

/** The fields of the first button that books. */
function orderOn(html: string, { id }: Pick<Hotel, "id">) {
  return hiddenFields(html, `${id}/reserve`);
}

function reserve(person: Person, { id }: Pick<Hotel, "id">, order: object, site?: string) {
  const headers = site === undefined ? undefined : { "sec-fetch-site": site };
  return person.send(`/book/${id}/reserve`, { ...order }, headers);
}

async function orderFor(person: Person, hotel: Hotel, lang?: string) {
  const { html } = await person.get(pageOf(hotel, lang));
  const order = orderOn(html, hotel);
  expect(order.page_key).toMatch(/^[0-9a-f-]{36}$/);
  return order;
}

async function openHolds(): Promise<readonly { readonly hold_id: string }[]> {
  const list = await service.api("GET", "/v1/admin/holds", { agent: service.demo.admin });
  return list.ok<{ items: { hold_id: string }[] }>().data.items;
}

function checkoutFile(): Database {
  return new Database(join(service.dataDir, "checkout.db"));
}

const isHeld = ({ location }: Seen) => location?.includes("/checkout/") === true;

test("a guest comes from the front page to a confirmed booking on a phone without script", async () => {
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({ javaScriptEnabled: false, viewport });
  const page = await context.newPage();
  await page.route("https://**", (route) => route.abort());
  const expectNarrow = async () => {
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(viewport.width);
  };
  await page.goto(service.baseUrl);
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator(".found h3 a").first().click();
  expect(new URL(page.url()).pathname).toStartWith("/book/");
  await expectNarrow();
  const total = (await page.locator(".amount").first().textContent()) ?? "";
  await page.locator(".stay").getByRole("button", { name: "Book" }).click();
  await page.waitForURL(/\/checkout\/[0-9a-f]{64}$/);
  await expectNarrow();
  expect(await page.getByText(total, { exact: true }).count()).toBeGreaterThan(0);
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByText("Your stay is booked").waitFor();
  expect(await page.locator(".lead code").textContent()).toMatch(/^[A-Z0-9]{6,}$/);
  await context.close();
});

test("a double click holds one room, the last one too", async () => {
  const hotel = await createHotel(service, { units: [1] });
  const person = new Person(service);
  const order = await orderFor(person, hotel);
  const both = await Promise.all([1, 2].map(() => reserve(person, hotel, order)));
  expect(both.map(isHeld)).toEqual([true, true]);
  expect(both[0]!.location).toBe(both[1]!.location);
  expect((await person.get(new URL(both[0]!.location!).pathname)).html).toContain("Book your stay");
});

test("a page that a browser kept holds another room when the first is booked", async () => {
  const hotel = await createHotel(service, { units: [50] });
  const person = new Person(service);
  const seen = await person.get(pageOf(hotel));
  const order = orderOn(seen.html, hotel);
  const first = await reserve(person, hotel, order);
  const { pathname } = new URL(first.location!);
  expect((await reserve(person, hotel, order)).location).toBe(first.location);
  const guest = { full_name: "Ada Lovelace", email: "ada@example.com", card: "ok" };
  await person.submit(pathname, `${pathname}/pay`, guest);
  await until("the room is booked", async () => {
    return (await person.get(pathname)).html.includes("Your stay is booked");
  });
  const kept = await person.get(pageOf(hotel), { "if-none-match": seen.headers.get("etag")! });
  expect(kept.status).toBe(304);
  const [next, again] = [await reserve(person, hotel, order), await reserve(person, hotel, order)];
  expect(isHeld(next)).toBeTrue();
  expect(next.location).not.toBe(first.location);
  expect(again.location).toBe(next.location);
});

test("while the file of checkouts is busy, the guest is asked to try again, and then books", async () => {
  const hotel = await createHotel(service, { units: [2] });
  const person = new Person(service);
  const order = await orderFor(person, hotel);
  const other = checkoutFile();
  other.run("BEGIN IMMEDIATE");
  const busy = await reserve(person, hotel, order);
  other.run("ROLLBACK");
  other.close();
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "15"]);
  expect(busy.html).toContain("Nothing was booked; try again shortly");
  expect(isHeld(await reserve(person, hotel, order))).toBeTrue();
});

test("a form whose process was killed holds a room when it is sent again later", async () => {
  const hotel = await createHotel(service, { units: [2] });
  const person = new Person(service);
  const order = await orderFor(person, hotel);
  const first = await reserve(person, hotel, order);
  expect(isHeld(first)).toBeTrue();
  const file = checkoutFile();
  const forget = `UPDATE claim SET session_id = NULL, created_at = created_at - ?
    WHERE created_at = (SELECT max(created_at) FROM claim)`;
  file.query(forget).run(15_000);
  file.close();
  const later = await reserve(person, hotel, order);
  expect(isHeld(later)).toBeTrue();
  expect(later.location).not.toBe(first.location);
  expect((await reserve(person, hotel, order)).location).toBe(later.location);
});

test("a room that is taken meanwhile is said to be so, in the guest's language", async () => {
  const hotel = await createHotel(service, { units: [1] });
  const [first, second] = [new Person(service), new Person(service)];
  const [one, other] = [await orderFor(first, hotel), await orderFor(second, hotel, "de")];
  const raced = await Promise.all([reserve(first, hotel, one), reserve(second, hotel, other)]);
  expect(raced.filter(isHeld)).toHaveLength(1);
  const loser = raced.find((each) => !isHeld(each))!;
  const late = await reserve(second, hotel, { ...other, page_key: crypto.randomUUID() });
  expect([loser.status, late.status]).toEqual([409, 409]);
  expect(late.html).toContain('<html lang="de">');
  expect(late.html).toContain("ist an diesen Tagen nicht frei");
  expect(late.html).toContain(`action="../${hotel.id}"`);
  expect(late.headers.get("cache-control")).toBe("no-store");
});

test("forms that no page of ours sent, or that are not whole, hold nothing", async () => {
  const hotel = await createHotel(service, { units: [5] });
  const person = new Person(service);
  const order = await orderFor(person, hotel);
  const before = (await openHolds()).length;
  for (const site of ["cross-site", "same-site", "none"]) {
    expect((await reserve(person, hotel, order, site)).status).toBe(403);
  }
  for (const bad of [
    { page_key: "1" },
    ...[{ room: "" }, { rate: "unknown" }, { check_in: "2020-01-01" }, { adults: "99" }],
    ...[{ check_out: order.check_in! }, { tenant_id: service.demo.second_tenant.tenant_id }],
  ]) {
    const { status, location } = await reserve(person, hotel, { ...order, ...bad });
    expect({ bad, location }).toEqual({ bad, location: null });
    expect([404, 409]).toContain(status);
  }
  expect((await openHolds()).length).toBe(before);
});

test("one address holds a few rooms a minute, and then is told so in its language", async () => {
  const hotel = await createHotel(service, { units: [50] });
  const person = new Person(service);
  const before = (await openHolds()).length;
  const answers: Seen[] = [];
  for (let i = 0; i < 12; i += 1) {
    const order = await orderFor(person, hotel, "fr");
    answers.push(await reserve(person, hotel, order));
  }
  const refused = answers.filter((each) => !isHeld(each));
  // A minute may end in between.
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect(refused[0]!.html).toContain("réessayez dans une minute");
  expect((await openHolds()).length - before).toBe(12 - refused.length);
  expect(
    isHeld(await reserve(new Person(service), hotel, await orderFor(person, hotel))),
  ).toBeTrue();
});

test("without an agent that sells directly, a page only says how agents book", async () => {
  const { second_tenant, admin } = service.demo;
  const list = await service.api("GET", "/v1/admin/properties", { agent: second_tenant.admin });
  const [{ property_id = "" } = {}] = list.ok<{ items: { property_id: string }[] }>().data.items;
  const person = new Person(service);
  const other = await person.get(`/book/${property_id}?tenant_id=${second_tenant.tenant_id}`);
  expect(other.status).toBe(200);
  expect(other.html).toContain("This hotel is booked through an assistant");
  expect(other.html).not.toContain('class="buy"');

  const hotel = await createHotel(service, { units: [5] });
  const order = await orderFor(person, hotel);
  const agents = await service.api("GET", "/v1/admin/agents", { agent: admin });
  type Agents = { items: { agent_id: string; sells_directly: boolean }[] };
  const seller = agents.ok<Agents>().data.items.find(({ sells_directly }) => sells_directly)!;
  const path = `/v1/admin/agents/${seller.agent_id}`;
  for (const [off, on] of [
    [{ sells_directly: false }, { sells_directly: true }],
    [{ state: "suspended" }, { state: "active" }],
    [{ scopes: ["quotes", "holds"] }, { scopes: ["quotes", "holds", "bookings:write"] }],
  ]) {
    (await service.api("PATCH", path, { agent: admin, body: off })).ok();
    await until("the button is gone", async () => {
      return !(await person.get(pageOf(hotel))).html.includes('class="buy"');
    });
    expect((await reserve(person, hotel, order)).status).toBe(409);
    (await service.api("PATCH", path, { agent: admin, body: on })).ok();
    await until("the button is back", async () => {
      return (await person.get(pageOf(hotel))).html.includes('class="buy"');
    });
  }
});

test("offers with their buttons have no barriers, also after a refusal, and are small", async () => {
  const hotel = await createHotel(service, { units: [1] });
  const page = await browser.newPage({ viewport: { width: 320, height: 740 } });
  let bytes = 0;
  page.on("requestfinished", async (request) => {
    bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(service.baseUrl + pageOf(hotel), { waitUntil: "networkidle" });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(BYTES_MAX);
  expect(await barriersOn(page)).toEqual([]);
  const other = new Person(service);
  expect(isHeld(await reserve(other, hotel, await orderFor(other, hotel)))).toBeTrue();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator(".stay").getByRole("button", { name: "Book" }).click();
  await page.getByText("is not free on these dates").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
  await page.close();
});
