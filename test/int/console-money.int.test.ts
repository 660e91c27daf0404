/**
 * Goal: an operator finds money that waits, gives back exactly what was typed, and mends a refund
 * that failed. Method: bookings at the sandbox provider, a browser without script, and Chromium.
 */
import { expect, test } from "bun:test";
import { openBrowser } from "../support/browser.ts";
import {
  type Booking,
  createHotel,
  dateIn,
  newBooking,
  newHold,
  newKey,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { HOSTILE_NAME, hiddenFields, type Person, signedIn } from "../support/console.ts";
import { faultsOf, openConsole } from "../support/console-browser.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const hotel = await createHotel(service, { units: [200], rate: 10_000 });

interface Refunds {
  readonly items: readonly {
    readonly refund_id: string;
    readonly amount: number;
    readonly state: string;
    readonly reason: string;
    readonly note?: string;
    readonly method?: string;
    readonly settlement_note?: string;
  }[];
}

async function refundsOf({ booking_id }: Booking): Promise<Refunds["items"]> {
  const path = `/v1/admin/bookings/${booking_id}/refunds`;
  return (await service.api("GET", path, { agent })).ok<Refunds>().data.items;
}

/** A booking whose every refund fails, and the first of them. */
async function withFailedRefund() {
  const hold = await newHold(service, stayRequest(hotel));
  const token = "tok_test_refund_fails";
  const booking = (await sendBooking(service, hold, { token })).ok<Booking>(201).data;
  const path = `/v1/admin/bookings/${booking.booking_id}/refunds`;
  const headers = { "idempotency-key": newKey() };
  const body = { amount: 1_234, reason: "service" };
  (await service.api("POST", path, { agent, headers, body })).ok(201);
  const [refund] = await refundsOf(booking);
  return { booking, page: `/console/money/refunds/${refund!.refund_id}` };
}

/** The two steps of a refund, as a person takes them. */
async function typed(person: Person, { booking_id }: Booking, amount: string, note = "") {
  const page = `/console/bookings/${booking_id}/refund`;
  const fields = { amount, reason: "goodwill", note };
  const checked = await person.submit(page, `${page}/check`, fields);
  if (checked.status !== 200) return { checked, send: null };
  const hidden = hiddenFields(checked.html, page);
  return { checked, send: () => person.send(page, hidden) };
}

test("what was typed is shown to the cent, asked again, and refunded once", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const person = await signedIn(service);
  const page = `/console/bookings/${booking.booking_id}`;
  expect((await person.get(page)).html).toContain(`href="${page}/refund"`);
  const { checked, send } = await typed(person, booking, "12,34", "the shower <b>leaks</b>");
  for (const text of ["€12.34", "€187.66", "goodwill", "&lt;b>leaks"]) {
    expect({ text, has: checked.html.includes(text) }).toEqual({ text, has: true });
  }
  expect(await refundsOf(booking)).toEqual([]);
  const sent = await Promise.all([send!(), send!()]);
  expect(sent.map(({ location }) => location)).toEqual([page, page]);
  expect(await refundsOf(booking)).toMatchObject([
    { amount: 1_234, state: "succeeded", reason: "goodwill", note: "the shower <b>leaks</b>" },
  ]);
  const after = (await person.get(`${page}/refund`)).html;
  for (const text of ["€200.00", "€12.34", "€187.66"]) {
    expect({ text, has: after.includes(text) }).toEqual({ text, has: true });
  }
});

test("an amount that is none, too fine or too much is refused before anything is asked", async () => {
  const booking = await newBooking(service, stayRequest(hotel));
  const person = await signedIn(service);
  for (const amount of ["", "0", "12.345", "1,000.00", "-1", "200.01", "2e1"]) {
    const { checked } = await typed(person, booking, amount);
    expect({ amount, status: checked.status }).toEqual({ amount, status: 400 });
    expect(checked.html).toContain('role="alert"');
  }
  const { send } = await typed(person, booking, "200.00");
  await send!();
  expect(await refundsOf(booking)).toMatchObject([{ amount: 20_000 }]);
  const { html } = await person.get(`/console/bookings/${booking.booking_id}/refund`);
  expect(html).toContain("Nothing remains");
});

test("a currency without decimals takes whole amounts only", async () => {
  const tokyo = await createHotel(service, { currency: "JPY", rate: 10_000 });
  const booking = await newBooking(service, stayRequest(tokyo));
  const person = await signedIn(service);
  expect((await typed(person, booking, "1250.0")).checked.status).toBe(400);
  const { checked, send } = await typed(person, booking, "1250");
  expect(checked.html).toContain("1,250");
  await send!();
  expect(await refundsOf(booking)).toMatchObject([{ amount: 1_250 }]);
});

test("money that waits is narrowed to what began by a day, and no day is an error", async () => {
  const { page } = await withFailedRefund();
  const person = await signedIn(service);
  for (const [until, has] of [
    ...[["", true] as const, [dateIn(0), true] as const, ["2026-02-31", true] as const],
    ...[
      [dateIn(-1), false] as const,
      ["1970-01-01", false] as const,
      ["9999-12-31", true] as const,
    ],
  ]) {
    const list = await person.get(`/console/money?until=${until}`);
    expect({ until, has: list.html.includes(page) }).toEqual({ until, has });
    expect(list.html).not.toContain('role="alert"');
  }
});

test("a failed refund is listed with its reason, tried again, then settled elsewhere", async () => {
  const { booking, page } = await withFailedRefund();
  const person = await signedIn(service);
  const list = await person.get("/console/money");
  expect(list.status).toBe(200);
  expect(list.html).toContain(`href="${page}"`);
  expect(list.html).toContain("needs you");
  const again = await person.submit(page, `${page}/retry`);
  const [, second] = await refundsOf(booking);
  const next = `/console/money/refunds/${second!.refund_id}`;
  expect(again.location).toBe(next);
  expect((await person.get(page)).html).not.toContain("Try again");
  const unknown = await person.submit(next, `${next}/settled`, { method: "gold" });
  expect(unknown).toMatchObject({ status: 409 });
  const fields = { method: "bank_transfer", note: "SEPA of 3 May" };
  const done = await person.submit(next, `${next}/settled`, fields);
  expect(done.location).toBe(next);
  expect((await refundsOf(booking))[1]).toMatchObject({
    ...{ state: "succeeded", method: "bank_transfer", settlement_note: "SEPA of 3 May" },
  });
  const shown = (await person.get(next)).html;
  expect(shown).toContain("SEPA of 3 May");
  expect(shown).not.toContain("Record it as paid back");
  expect((await person.get("/console/money")).html).not.toContain(next);
});

test("a payment without a verdict is listed with what it waits for, until it has one", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const answer = sendBooking(service, hold, { token: "tok_test_slow_9s" });
  const person = await signedIn(service);
  const list = async () => (await person.get("/console/money")).html;
  const why = "The payment provider is processing the payment.";
  await until("the payment is listed", async () => (await list()).includes(why));
  expect(await list()).toContain("1 payment<");
  (await answer).ok(201);
  expect(await list()).not.toContain(why);
});

test("a refund that fails at once leads to the page that mends it", async () => {
  const { booking } = await withFailedRefund();
  const person = await signedIn(service);
  const { send } = await typed(person, booking, "5");
  const { location } = await send!();
  const made = (await refundsOf(booking)).at(-1)!;
  expect(location).toBe(`/console/money/refunds/${made.refund_id}`);
  expect((await person.get(location!)).html).toContain("Try again");
});

test("who may not refund is told so on each part of the page", async () => {
  const { booking, page } = await withFailedRefund();
  const [reader] = await service.newAgents([
    { kind: "operator", scopes: ["bookings:read", "admin:payments"] },
  ]);
  const person = await signedIn(service, reader);
  const { html } = await person.get("/console/money");
  expect(html.match(/forbidden/g)?.length).toBeGreaterThanOrEqual(3);
  expect(html).toContain("Payments without a verdict");
  expect((await person.get(page)).html).not.toContain("€12.34");
  const at = `/console/bookings/${booking.booking_id}/refund`;
  expect((await person.get(at)).html).toContain("forbidden");
});

test("in a browser the list renews itself, and every page fits and shows names as text", async () => {
  await using browser = await openBrowser();
  const path = `/v1/admin/properties/${hotel.id}`;
  (await service.api("PATCH", path, { agent, body: { name: HOSTILE_NAME } })).ok();
  const tab = await openConsole(browser, service);
  await tab.keyboard.press("g");
  await tab.keyboard.press("m");
  await tab.waitForURL(`${service.baseUrl}/console/money`);
  await tab.locator("#live[data-state=live]").waitFor();
  const { booking, page } = await withFailedRefund();
  await tab.locator(`a[href="${page}"]`).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.locator(`a[href="${page}"]`).click();
  await tab.getByRole("button", { name: "Try again" }).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.goto(`${service.baseUrl}/console/bookings/${booking.booking_id}`);
  await tab.getByRole("link", { name: "Refund…" }).click();
  await tab.locator("input[name=amount]").fill("0.29");
  expect(await faultsOf(tab)).toEqual([]);
  await tab.keyboard.press("Enter");
  await tab.getByRole("button", { name: "Refund €0.29" }).waitFor();
  expect(await faultsOf(tab)).toEqual([]);
  await tab.getByRole("button", { name: "Refund €0.29" }).click();
  await tab.locator("h1", { hasText: "Refund of €0.29" }).waitFor();
});
