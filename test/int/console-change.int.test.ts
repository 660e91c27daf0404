/**
 * Goal: an operator changes a booking after seeing what it does to the money, in each way that the
 * API offers. Method: a small hotel with cheap nights, a browser without script, and Chromium.
 */
import { expect, test } from "bun:test";
import { openBrowser } from "../support/browser.ts";
import { type Booking, createHotel, dateIn, newBooking, stayRequest } from "../support/client.ts";
import { hiddenFields, type Person, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const hotel = await createHotel(service, { units: [20, 20], rate: 10_000 });
const [room, suite] = hotel.rooms;

async function priced(from: number, to: number, amount: number): Promise<void> {
  const range = { from: dateIn(from), to: dateIn(to), rate_plan_id: room!.planIds[0]!, amount };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  (await service.api("PUT", path, { agent, body: { rates: [range] } })).ok();
}
await priced(70, 80, 7_000);

interface Detail extends Booking {
  readonly version: number;
  readonly stay: { readonly check_in: string; readonly check_out: string };
  readonly guests: { readonly adults: number; readonly children: readonly { age: number }[] };
  readonly room_type_id: string;
  readonly price_breakdown: { readonly total: number; readonly due_at_property: number };
  readonly refunds: readonly { readonly amount: number }[];
}

async function read({ booking_id }: Booking): Promise<Detail> {
  return (await service.api("GET", `/v1/bookings/${booking_id}`, { agent })).ok<Detail>().data;
}

const booked = (inDays: number, plan = 0) =>
  newBooking(service, stayRequest(hotel, { inDays, plan }));
const pageOf = ({ booking_id }: Booking) => `/console/bookings/${booking_id}`;
const stayOn = (day: number, nights = 2) => ({
  check_in: dateIn(day),
  check_out: dateIn(day + nights),
});

interface Typed {
  readonly check_in?: string;
  readonly check_out?: string;
  readonly adults?: string;
  readonly children?: string;
  readonly offer?: string;
}

/** Sends the first form, with what the booking has for the fields that are not typed. */
async function checked(person: Person, booking: Booking, typed: Typed) {
  const page = `${pageOf(booking)}/change`;
  const { stay, guests } = await read(booking);
  const fields = {
    ...{ ...stay, adults: String(guests.adults), children: "" },
    offer: `${room!.id} ${room!.planIds[0]}`,
    ...typed,
  };
  return person.submit(page, `${page}/check`, fields);
}

/** The fields of the form whose button has this label. */
function wayOf(html: string, booking: Booking, label: string) {
  const forms = html.match(/<form .*?<\/form>/gs) ?? [];
  const form = forms.find((each) => each.includes(`>${label}</button>`));
  if (form === undefined) throw new Error(`no way is called ${label}`);
  return hiddenFields(form, `${pageOf(booking)}/change`);
}

test("a move to nights of the same price is shown, confirmed once, and keeps the money", async () => {
  const booking = await booked(30);
  const person = await signedIn(service);
  expect((await person.get(pageOf(booking))).html).toContain(`${pageOf(booking)}/change`);
  const { html, status } = await checked(person, booking, stayOn(32));
  expect(status).toBe(200);
  expect((await read(booking)).version).toBe(1);
  const fields = wayOf(html, booking, "Change the booking");
  const send = () => person.send(`${pageOf(booking)}/change`, fields);
  const sent = [await send(), await send()];
  expect(sent.map(({ location }) => location)).toEqual([pageOf(booking), pageOf(booking)]);
  expect(await read(booking)).toMatchObject({ version: 2, stay: stayOn(32), refunds: [] });
});

test("a cheaper stay offers a refund or the former price; each shows its money first", async () => {
  const person = await signedIn(service);
  const [refunded, waived] = [await booked(40), await booked(40)];
  const shown = await checked(person, refunded, stayOn(70));
  expect(shown.html).toContain("booking_modification_price_change");
  expect(shown.html).toContain("€140.00");
  expect(shown.html).toContain("€60.00");
  const back = wayOf(shown.html, refunded, "Give the difference back");
  await person.send(`${pageOf(refunded)}/change`, back);
  expect(await read(refunded)).toMatchObject({
    ...{ stay: stayOn(70), price_breakdown: { total: 14_000 }, refunds: [{ amount: 6_000 }] },
  });
  const { html } = await checked(person, waived, stayOn(70));
  await person.send(`${pageOf(waived)}/change`, wayOf(html, waived, "Keep the former price"));
  expect(await read(waived)).toMatchObject({ price_breakdown: { total: 20_000 }, refunds: [] });
});

test("a longer stay is charged at the hotel; party and room change too", async () => {
  const person = await signedIn(service);
  const booking = await booked(45);
  const longer = await checked(person, booking, stayOn(45, 3));
  const way = wayOf(longer.html, booking, "Charge the difference at the hotel");
  await person.send(`${pageOf(booking)}/change`, way);
  expect((await read(booking)).price_breakdown.due_at_property).toBe(10_000);
  const other = await booked(45);
  const typed = { adults: "1", children: "4, 7", offer: `${suite!.id} ${suite!.planIds[0]}` };
  const { html } = await checked(person, other, typed);
  await person.send(`${pageOf(other)}/change`, wayOf(html, other, "Change the booking"));
  expect(await read(other)).toMatchObject({
    room_type_id: suite!.id,
    guests: { adults: 1, children: [{ age: 4 }, { age: 7 }] },
  });
});

test("a price that changed since it was shown, and a change meanwhile, stop it", async () => {
  const person = await signedIn(service);
  const booking = await booked(50);
  const { html } = await checked(person, booking, stayOn(72));
  const fields = wayOf(html, booking, "Give the difference back");
  await priced(72, 73, 6_000);
  const dearer = await person.send(`${pageOf(booking)}/change`, fields);
  expect(dearer.status).toBe(409);
  expect(dearer.html).toContain("The price has changed since it was shown");
  expect((await read(booking)).version).toBe(1);
  const renewed = wayOf(dearer.html, booking, "Give the difference back");
  const body = { special_requests: "A cot" };
  (await service.api("PATCH", `/v1/bookings/${booking.booking_id}`, { agent, body })).ok();
  const late = await person.send(`${pageOf(booking)}/change`, renewed);
  expect(late.status).toBe(409);
  expect(late.html).toContain("version_mismatch");
  expect(await read(booking)).toMatchObject({ version: 2, stay: stayOn(50) });
});

test("what cannot be is said beside the form, which keeps what was typed", async () => {
  const person = await signedIn(service);
  const booking = await booked(55);
  const faults: readonly (readonly [Typed, string])[] = [
    [{}, "Nothing differs"],
    [{ children: "four" }, "The ages must be"],
    [{ adults: "" }, "The number of adults"],
    [{ check_in: dateIn(58) }, "validation_failed"],
    [{ adults: "4", children: "1, 2, 3" }, 'role="alert"'],
  ];
  for (const [typed, text] of faults) {
    const { html, status } = await checked(person, booking, typed);
    expect({ typed, status, has: html.includes(text) }).toEqual({ typed, status: 409, has: true });
    expect(html).toContain(`${pageOf(booking)}/change/check`);
  }
  expect((await read(booking)).version).toBe(1);
});

test("in a browser a change is made by the keyboard, and every page fits", async () => {
  await using browser = await openBrowser();
  const tab = await openConsole(browser, service);
  const booking = await booked(60);
  await tab.goto(service.baseUrl + pageOf(booking));
  await tab.getByRole("link", { name: "Change…" }).press("Enter");
  await tab.locator("input[name=check_in]").fill(dateIn(74));
  await tab.locator("input[name=check_out]").fill(dateIn(76));
  expect(await faultsOf(tab)).toEqual([]);
  await tab.locator("input[name=adults]").press("Enter");
  const way = tab.getByRole("button", { name: "Give the difference back" });
  await way.waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await way.press("Enter");
  await tab.waitForURL(service.baseUrl + pageOf(booking));
  expect((await read(booking)).stay).toEqual(stayOn(74));
});

test("no text in a hidden field breaks the call that it goes into", async () => {
  const booking = await booked(33);
  const person = await signedIn(service);
  const { html } = await checked(person, booking, stayOn(35));
  const fields = wayOf(html, booking, "Change the booking");
  for (const name of ["version", "idempotency_key"]) {
    for (const text of ["\u0000", "→", "1\r\nx-test: 1"]) {
      const { status } = await person.send(`${pageOf(booking)}/change`, {
        ...fields,
        [name]: text,
      });
      expect({ name, text, status }).toEqual({ name, text, status: 409 });
    }
  }
  expect((await read(booking)).version).toBe(1);
});

test("a form is no larger than a call of the API, so that its answer stays small", async () => {
  const booking = await booked(34);
  const person = await signedIn(service);
  const { status, html } = await checked(person, booking, { children: "1 ".repeat(40_000) });
  expect(status).toBe(403);
  expect(html.length).toBeLessThan(10_000);
});
