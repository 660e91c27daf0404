/**
 * Goal: the pages of figures show what the API counts, by hotel and by agent, beside other days,
 * and never add currencies. Method: hotels with a few bookings, a browser without script, the API
 * as witness, and Chromium.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openBrowser } from "../support/browser.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newBooking,
  newQuote,
  propertyBody,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { HOSTILE_NAME, type Person, signedIn } from "../support/console.ts";
import { expectFit, openConsole } from "../support/console-browser.ts";
import { Service } from "../support/service.ts";

const FIGURES = "/console/figures";
const HOTELS = `${FIGURES}/hotels`;
const UNITS = 4;
/** Days in the month that the page shows: ahead, so that every night can be sold. */
const FIRST = 40;
const RANGE = `from=${dateIn(FIRST)}&to=${dateIn(FIRST + 9)}`;

let service: Service;
let hotel: Hotel;
let person: Person;

/** Of ten days and four rooms: six nights booked, two of them cancelled. */
beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service, { units: [UNITS], rate: 10_000 });
  await newBooking(service, stayRequest(hotel, { inDays: FIRST }));
  await newBooking(service, stayRequest(hotel, { inDays: FIRST + 3 }));
  const gone = await newBooking(service, stayRequest(hotel, { inDays: FIRST + 5 }));
  (await sendCancel(service, gone.booking_id)).ok();
  await newBooking(service, stayRequest(hotel, { inDays: FIRST - 5, nights: 1 }));
  person = await signedIn(service);
});
afterAll(() => service.stop());

/** The text of a page as people read it. */
function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

const at = (id = hotel.id) => `${FIGURES}?${RANGE}&property_id=${id}`;

test("the page shows occupancy, money, pickup and cancellations, beside the days before", async () => {
  const { status, html } = await person.get(at());
  expect(status).toBe(200);
  const text = textOf(html);
  expect(text).toContain("Occupancy 10% 4 of 40 room nights");
  expect(text).toMatch(/: 2\.5% \(\+7\.5 points\)/);
  expect(text).toContain("ADR €100.00");
  expect(text).toContain("RevPAR €10.00");
  expect(text).toContain("Room revenue €400.00");
  expect(text).toContain("Pickup of 7 days +4 room nights; €400.00");
  expect(text).toContain("Cancellations 1 33.3% of 3 arrivals");
  expect(html.match(/<rect class="bar ahead"[^>]*><title>/g)?.length).toBe(8);
});

test("the charts' numbers are in a table too, a line for each day", async () => {
  const { html } = await person.get(at());
  const [table] = /<details>.*?<\/details>/s.exec(html) ?? [""];
  expect(table).toContain("The same as a table");
  expect(table.match(/<tr id="on-/g)).toHaveLength(10);
  // Of each of four nights ADR and revenue, and the revenue of one night before.
  expect(textOf(table).match(/€100\.00/g)).toHaveLength(9);
});

test("days to compare with are chosen; a month is the other way to choose days", async () => {
  const compared = await person.get(`${at()}&compare_from=${dateIn(FIRST)}`);
  expect(textOf(compared.html)).toContain("10% (0 points)");
  const month = await person.get(`${FIGURES}?month=2027-02&property_id=${hotel.id}`);
  expect(textOf(month.html)).toContain("Feb 2027");
  expect(textOf(month.html)).toContain("Jan 2027:");
});

test("what is no range is refused by the API, on the page", async () => {
  const { html } = await person.get(`${FIGURES}?from=${dateIn(9)}&to=${dateIn(1)}`);
  expect(html).toContain("is before from");
  expect(textOf((await person.get(`${FIGURES}?from=never`)).html)).toContain("?from");
});

test("agents are listed with what came of their searches and quotes", async () => {
  const today = `from=${dateIn(-1)}&to=${dateIn(1)}`;
  await newQuote(service, stayRequest(hotel));
  const { html } = await person.get(`${FIGURES}?${today}&property_id=${hotel.id}`);
  const [row] = new RegExp(
    `<tr id="funnel-${service.demo.agent.agent_id}"[^>]*>.*?</tr>`,
    "s",
  ).exec(html) ?? [""];
  expect(textOf(row)).toMatch(/ 4\s+4 /);
  expect(textOf(html)).toContain("those of all hotels");
});

test("the file is what the API answers with the same query", async () => {
  const file = await person.get(`${FIGURES}/csv?${RANGE}&property_id=${hotel.id}`);
  expect(file.headers.get("content-type")).toContain("text/csv");
  const name = `figures-${dateIn(FIRST)}-${dateIn(FIRST + 9)}.csv`;
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  const query = `${RANGE}&property_id=${hotel.id}&granularity=day&pickup_days=7&format=csv`;
  const { admin: agent } = service.demo;
  const { text } = await service.api("GET", `/v1/admin/kpis?${query}`, { agent });
  expect(file.html).toBe(text);
  const refused = await person.get(`${FIGURES}/csv?from=${dateIn(9)}&to=${dateIn(1)}`);
  expect(refused.location).toBe(`${FIGURES}?from=${dateIn(9)}&to=${dateIn(1)}`);
});

test("amounts of two currencies stand beside each other, and are not added", async () => {
  const inYen = await createHotel(service, { rate: 9_000, currency: "JPY" });
  await newBooking(service, stayRequest(inYen, { inDays: FIRST, nights: 1 }));
  const text = textOf((await person.get(`${FIGURES}?${RANGE}`)).html);
  expect(text).toContain("€400.00");
  expect(text).toContain("JP¥9,000");
  expect(text).toContain("Currencies are not added");
  expect(text).not.toContain("RevPAR €");
  const hotels = textOf((await person.get(`${HOTELS}?${RANGE}`)).html);
  for (const shown of ["€400.00", "€10.00", "JP¥9,000", "JP¥18"]) expect(hotels).toContain(shown);
});

test("who may not read figures is told so; an operator of one hotel sees that one", async () => {
  const [stranger, own] = await service.newAgents([
    { kind: "operator", scopes: ["bookings:read"] },
    { kind: "operator", scopes: ["admin:kpis", "admin:properties"], property_ids: [hotel.id] },
  ]);
  const refused = await (await signedIn(service, stranger)).get(FIGURES);
  expect(refused.html).toContain("<code>forbidden</code>");
  expect(refused.html).not.toContain("<rect");
  const visitor = await signedIn(service, own);
  const { html } = await visitor.get(`${FIGURES}?${RANGE}`);
  expect(textOf(html)).toContain("4 of 40 room nights");
  expect(textOf(html)).toContain("not shown to an operator of some");
  expect((await visitor.get(`${HOTELS}?${RANGE}`)).html.match(/<tr id="/g)).toHaveLength(1);
});

test("figures renew themselves, and what is unfolded stays so", async () => {
  await using browser = await openBrowser();
  const page = await openConsole(browser, service, service.demo.admin);
  await page.goto(service.baseUrl + at());
  await page.getByText("The same as a table").click();
  await newBooking(service, stayRequest(hotel, { inDays: FIRST + 7, nights: 1 }));
  await page.getByText("5 of 40 room nights").waitFor();
  expect(await page.getByRole("table", { name: "Figures by period" }).isVisible()).toBeTrue();
});

test("the pages have no barrier, no image of a name and no sideways scroll", async () => {
  const agent = service.demo.admin;
  const body = { ...propertyBody(), name: HOSTILE_NAME };
  (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
  await using browser = await openBrowser();
  const page = await openConsole(browser, service, agent);
  await expectFit(page, service.baseUrl, [`${FIGURES}?${RANGE}`, `${HOTELS}?${RANGE}`]);
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.waitForURL(service.baseUrl + FIGURES);
});
