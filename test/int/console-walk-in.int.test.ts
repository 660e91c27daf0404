/**
 * Goal: a person at the desk books for a guest within a minute, finds the guest by a part of the
 * name and leaves notes, with the prices of the API. Method: a small hotel in a zone of its own, a
 * browser without script, and Chromium by keyboard alone.
 */
import { expect, test } from "bun:test";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { openBrowser } from "../support/browser.ts";
import { createHotel, newKey } from "../support/client.ts";
import { HOSTILE_NAME, hiddenFields, type Person, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const ZONE = "Pacific/Kiritimati";
const hotel = await createHotel(service, { units: [30, 30], rate: 10_000, timezone: ZONE });
const NEW = "/console/bookings/new";
const AT_HOTEL = `${NEW}?property_id=${hotel.id}`;

interface Detail {
  readonly booking_id: string;
  readonly state: string;
  readonly stay: { readonly check_in: string; readonly check_out: string };
  readonly guest: { readonly primary: { readonly full_name: string } };
  readonly payment: { readonly state: string } | null;
  readonly price_breakdown: { readonly due_now: number; readonly due_at_property: number };
}

async function read(location: string | null): Promise<Detail> {
  const id = location?.match(/^\/console\/bookings\/(bkg_\w+)$/)?.[1];
  if (id === undefined) throw new Error(`no booking at ${location}`);
  return (await service.api("GET", `/v1/bookings/${id}`, { agent })).ok<Detail>().data;
}

/** The page of the first offer, where the guest is asked for. */
async function quoted(person: Person, way: "at_property" | "card" = "at_property") {
  const offers = await person.get(`${AT_HOTEL}&pays=${way}`);
  const fields = hiddenFields(offers.html, `${NEW}/quote`);
  return person.send(`${NEW}/quote`, fields);
}

const guestOf = (full_name: string) => ({ full_name, email: `${newKey()}@example.com` });

test("tonight at the hotel is booked in three forms without script, once, unpaid", async () => {
  const person = await signedIn(service);
  for (const path of ["/console", "/console/bookings"]) {
    expect((await person.get(path)).html).toContain(`href="${NEW}"`);
  }
  const today = todayIn(ZONE, Date.now());
  const offers = await person.get(AT_HOTEL);
  expect(offers.html).toContain(`name="check_in" required value="${dateOf(today)}"`);
  expect(offers.html).toContain("4 offers for sale");
  const page = await quoted(person);
  expect(page.html).toMatch(/Due now<\/dt><dd><span class="amount">€0\.00/);
  expect(page.html).toContain("Nothing is prepaid");
  const fields = { ...hiddenFields(page.html, NEW), ...guestOf(HOSTILE_NAME), phone: "" };
  const sent = [await person.send(NEW, fields), await person.send(NEW, fields)];
  expect(sent[0]!.location).toBe(sent[1]!.location);
  const booking = await read(sent[0]!.location);
  const { due_now, due_at_property } = booking.price_breakdown;
  expect([booking.payment, due_now]).toEqual([null, 0]);
  expect(due_at_property).toBeGreaterThan(0);
  expect(booking.stay).toEqual({ check_in: dateOf(today), check_out: dateOf(today + 1) });
  expect(booking.guest.primary.full_name).toBe(HOSTILE_NAME);
});

test("a declined card and a wrong address keep the room and what was typed", async () => {
  const person = await signedIn(service);
  const page = await quoted(person, "card");
  const asked = { ...hiddenFields(page.html, NEW), full_name: "Ida Rhodes" };
  const wrong = await person.send(NEW, { ...asked, email: "x", provider_token: "tok_test_ok" });
  expect([wrong.status, wrong.html.includes("/guest/primary/email")]).toEqual([409, true]);
  const again = { ...hiddenFields(wrong.html, NEW), ...guestOf("Ida Rhodes") };
  expect(again).toHaveProperty("hold_id");
  const declined = await person.send(NEW, { ...again, provider_token: "tok_test_declined" });
  expect(declined.html).toContain("payment_failed");
  expect(declined.html).toContain('value="Ida Rhodes"');
  const last = { ...hiddenFields(declined.html, NEW), ...guestOf("Ida Rhodes") };
  expect((last as { hold_id?: string }).hold_id).toBe((again as { hold_id?: string }).hold_id!);
  const paid = await person.send(NEW, { ...last, provider_token: "tok_test_ok" });
  expect((await read(paid.location)).payment).toMatchObject({ state: "captured" });
});

test("what cannot be sold or read is said", async () => {
  const person = await signedIn(service);
  const past = await person.get(`${AT_HOTEL}&check_in=2020-01-01&check_out=2020-01-02`);
  expect(past.html).toContain("check_in");
  expect((await person.get(`${NEW}?property_id=nowhere`)).html).toContain("property_not_found");
  const gone = await person.send(NEW, {
    ...hiddenFields((await quoted(person)).html, NEW),
    ...{ quote_id: "qt_x", ...guestOf("Nobody") },
  });
  expect([gone.status, gone.html.includes("quote_not_found")]).toEqual([409, true]);
});

test("the search box finds a guest by a part of the name", async () => {
  const person = await signedIn(service);
  const book = async (name: string) => {
    const page = await quoted(person);
    const fields = { ...hiddenFields(page.html, NEW), ...guestOf(name) };
    return (await person.send(NEW, fields)).location!;
  };
  const found = (sought: string) =>
    person.submit("/console/bookings", "/console/bookings", { sought });
  const path = await book("Zoë Zuckermann");
  expect((await found("zuck zoe")).location).toBe(path);
  await book("Zora Zuckermann");
  const both = await found("zuckerm");
  expect(both.html).toContain("2 bookings");
  expect(both.html).toContain("looked at");
  expect((await found("zuckerma nobody")).html).toContain("0 bookings");
});

test("notes are written and read on the booking's page, by words alone", async () => {
  const person = await signedIn(service);
  const page = await quoted(person);
  const made = await person.send(NEW, { ...hiddenFields(page.html, NEW), ...guestOf("Noor") });
  const path = made.location!;
  const fields = { ...hiddenFields((await person.get(path)).html, `${path}/notes`) };
  const send = () => person.send(`${path}/notes`, { ...fields, text: HOSTILE_NAME });
  expect([(await send()).location, (await send()).location]).toEqual([path, path]);
  const { html } = await person.get(path);
  expect(html.match(/&lt;img src=x onerror=&quot;/g)).toHaveLength(1);
  expect(html).not.toContain("<img src=x");
  const blank = await person.submit(path, `${path}/notes`, { text: " " });
  expect([blank.status, blank.html.includes("The note was not added")]).toEqual([409, true]);
});

test("in a browser a booking takes the keyboard alone, and no page has a barrier", async () => {
  await using browser = await openBrowser();
  const tab = await openConsole(browser, service);
  await tab.goto(service.baseUrl + AT_HOTEL);
  expect(await faultsOf(tab)).toEqual([]);
  const startedMs = performance.now();
  const next = (label: string) => tab.getByLabel(label, { exact: true });
  await tab.locator("button", { hasText: "Book…" }).first().focus();
  await tab.keyboard.press("Enter");
  await next("Guest's full name").waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await next("Guest's full name").focus();
  await tab.keyboard.type(HOSTILE_NAME);
  await tab.keyboard.press("Tab");
  await tab.keyboard.type("guest@example.com");
  await tab.keyboard.press("Enter");
  await tab.waitForURL(/\/console\/bookings\/bkg_/);
  expect(performance.now() - startedMs).toBeLessThan(60_000);
  await next("New note, for the hotel alone").fill(`Allergic. ${HOSTILE_NAME}`);
  await tab.locator("button", { hasText: "Add the note" }).click();
  await tab.locator("#notes li").waitFor();
  expect(await faultsOf(tab)).toEqual([]);
});
