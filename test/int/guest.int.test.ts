/**
 * Goal: a guest sees and changes the own booking by a link in a mail, and nobody learns or does
 * anything else by it. Method: links are read from the outbox; lost, used, old and foreign ones,
 * wrong digits, a cut-off that passes while the guest reads, and a guest who was erased.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createHotel, dateIn, type Hotel, newKey, stayRequest } from "../support/client.ts";
import {
  askForLink,
  bookedByGuest,
  callsWith,
  fromSomewhere,
  guestOf,
  linkOf,
  mailsOf,
  startSession,
} from "../support/guest.ts";
import { Service, until } from "../support/service.ts";

const BOOKING = "/booking";
const CANCEL = "/booking/cancel";

let service: Service;
let hotel: Hotel;
let testHotel: Hotel;

beforeAll(async () => {
  service = await Service.start({ TRUSTED_PROXIES: "1", API_PROCESSES: "1" });
  hotel = await createHotel(service, { units: [500] });
  testHotel = await createHotel(service, { units: [50], operator: service.demo.test_admin });
});
afterAll(() => service.stop());

const book = (more: Parameters<typeof bookedByGuest>[2] = {}) =>
  bookedByGuest(service, stayRequest(hotel), more);

interface Cost {
  readonly refund: { readonly amount: number };
}

/** Changes rows of links or sessions, as time does. */
function inStore(sql: string, ...values: (string | number)[]): void {
  using db = new Database(join(service.dataDir, "guest.db"), { strict: true });
  db.run("PRAGMA busy_timeout = 2000");
  db.query(sql).run(...values);
}

test("a guest sees the booking, changes it, has it confirmed again, and cancels it", async () => {
  const booked = await book({ language: "de" });
  const guest = await guestOf(service, booked);
  const seen = (await guest("GET", BOOKING)).ok<Record<string, unknown>>();
  expect(seen.data).toMatchObject({
    ...{ booking_id: booked.booking_id, state: "confirmed", room: "Room R0" },
    guest: { primary: { full_name: "Ada Lovelace", email: booked.email, language: "de" } },
  });
  const own = ["hold_id", "quote_id", "authorization", "traveler", "history", "property_id"];
  expect(own.filter((name) => name in seen.data)).toEqual([]);
  expect(seen.next_actions.map(({ href }) => href)).toContain("/v1/guest/booking/cancel");

  const longer = { stay: { check_in: dateIn(40), check_out: dateIn(43) } };
  (await guest("PATCH", BOOKING, longer)).refused("booking_modification_price_change");
  const stay = { check_in: dateIn(40), check_out: dateIn(42) };
  (await guest("POST", "/booking/modification-quote", { stay })).ok();
  const change = { stay, guest: { primary: { phone: "+34 600 000 000" } } };
  const key = { "idempotency-key": newKey() };
  const changed = (await guest("PATCH", BOOKING, change, key)).ok<Record<string, unknown>>();
  expect(changed.data).toMatchObject({ stay, guest_changed: true, version: 2 });
  expect((await guest("PATCH", BOOKING, change, key)).ok().data).toEqual(changed.data);
  (await guest("PATCH", BOOKING, { guest: { primary: { phone: null } } })).ok();
  const { data } = (await guest("GET", BOOKING)).ok<{ guest: { primary: object } }>();
  expect(data.guest.primary).not.toHaveProperty("phone");
  const email = { guest: { primary: { email: "eve@example.com" } } };
  (await guest("PATCH", BOOKING, email)).refused("validation_failed");
  for (const body of [{ difference: "waive", stay: longer.stay }, { rate_plan_id: "x" }]) {
    (await guest("PATCH", BOOKING, body)).refused("validation_failed");
  }
  (await guest("POST", "/booking/resend-confirmation")).ok();
  expect(mailsOf(service, "modification", booked).at(-1)).toContain("geändert");

  const cost = (await guest("GET", "/booking/cancellation-quote")).ok<Cost>().data;
  const shown = { expected_refund: cost.refund.amount };
  const done = await Promise.all([
    ...[1, 2, 3].map(() => guest("POST", CANCEL, shown)),
    guest("POST", CANCEL, { expected_refund: cost.refund.amount + 1 }),
  ]);
  expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
  (await guest("POST", CANCEL, shown)).refused("booking_not_cancellable");
  const after = (await guest("GET", BOOKING)).ok<{ state: string; refunds: object[] }>().data;
  expect(after).toMatchObject({ state: "cancelled", refunds: [{ amount: 20_000 }] });
  const { items } = (await guest("GET", "/booking/receipts")).ok<{ items: object[] }>().data;
  expect(items.map((each) => (each as { kind: string }).kind)).toEqual([
    ...["booking_confirmed", "booking_confirmed", "booking_cancelled", "refund_issued"],
  ]);
  for (const body of items) {
    (await service.api("POST", "/v1/receipts/verify", { agent: null, body })).ok();
  }
  await until("the guest has the mail", async () => {
    return mailsOf(service, "cancellation", booked).some((text) => text.includes("storniert"));
  });
});

test("the event of a guest's deed names the guest, by the id of the booking", async () => {
  const booked = await book();
  const guest = await guestOf(service, booked);
  (await guest("POST", CANCEL, { expected_refund: 20_000 })).ok();
  const audit = await service.api("GET", `/v1/bookings/${booked.booking_id}/audit`);
  const { events } = audit.ok<{ events: { type: string; actor: object }[] }>().data;
  expect(events.find(({ type }) => type === "booking.cancelled")?.actor).toEqual({
    ...{ kind: "guest", id: booked.booking_id },
  });
});

test("what matches no booking gets the same answer, and no mail goes out", async () => {
  const [booked, other] = [await book(), await book()];
  const asked = await askForLink(service, booked);
  await linkOf(service, booked);
  for (const wrong of [
    { email: other.email },
    { confirmation_code: other.confirmation_code },
    { email: "nobody@example.com", confirmation_code: "ZZZZZZZZ" },
  ]) {
    const answer = await askForLink(service, { ...booked, ...wrong });
    expect(answer.ok(202).data).toEqual(asked.ok(202).data);
  }
  // Mails go out in order, so the others would have been sent before this one.
  await askForLink(service, { ...booked, email: booked.email.toUpperCase() });
  await linkOf(service, booked, 2);
  expect(mailsOf(service, "guest-link", booked)).toHaveLength(2);
  expect(mailsOf(service, "guest-link", other)).toEqual([]);
  using db = new Database(join(service.dataDir, "guest.db"), { readonly: true });
  expect(JSON.stringify(db.query("SELECT * FROM link").all())).not.toContain("@");
});

test("a guest gets five mails an hour, however often somebody asks", async () => {
  const booked = await book();
  for (let i = 0; i < 7; i += 1) (await askForLink(service, booked)).ok(202);
  await linkOf(service, booked, 5);
  (await askForLink(service, booked)).ok(202);
  using db = new Database(join(service.dataDir, "guest.db"), { readonly: true });
  const select = "SELECT count(*) AS count FROM link WHERE booking_id = ?";
  expect(db.query(select).get(booked.booking_id)).toEqual({ count: 5 });
});

test("a link works once and for a minute more, and not after its quarter of an hour", async () => {
  const booked = await book();
  await askForLink(service, booked);
  const { token } = await linkOf(service, booked);
  const [first, second] = [
    await startSession(service, { token }),
    await startSession(service, { token }),
  ];
  const secrets = [first, second].map(
    (each) => each.ok<{ session_secret: string }>(201).data.session_secret,
  );
  expect(secrets[0]).not.toBe(secrets[1]);
  inStore("UPDATE link SET used_at = used_at - 60001 WHERE booking_id = ?", booked.booking_id);
  (await startSession(service, { token })).refused("unauthenticated");
  await askForLink(service, booked);
  const late = await linkOf(service, booked, 2);
  inStore(
    "UPDATE link SET created_at = created_at - 900001 WHERE booking_id = ?",
    booked.booking_id,
  );
  (await startSession(service, { token: late.token })).refused("unauthenticated");
  (await startSession(service, { token: "0".repeat(64) })).refused("unauthenticated");
});

test("the six digits work too, unless five wrong ones came before", async () => {
  const booked = await book();
  await askForLink(service, booked);
  const { code } = await linkOf(service, booked);
  const { email, confirmation_code } = booked;
  const enter = (digits: string, more = {}) =>
    startSession(service, { email, confirmation_code, code: digits, ...more });
  (await enter(code, { email: "eve@example.com" })).refused("unauthenticated");
  (await enter(code)).ok(201);
  const wrong = code === "000000" ? "000001" : "000000";
  for (let i = 0; i < 5; i += 1) (await enter(wrong)).refused("unauthenticated");
  (await enter(code)).refused("unauthenticated");
  (await startSession(service, { email, code })).refused("validation_failed");
});

test("a session is of one booking and ends: by its time, by the guest, with the guest's data", async () => {
  const [booked, other] = [await book(), await book()];
  const [guest, neighbour] = [await guestOf(service, booked), await guestOf(service, other)];
  (await guest("GET", BOOKING)).ok();
  for (const path of ["/v1/bookings", `/v1/bookings/${booked.booking_id}`, "/v1/admin/bookings"]) {
    const headers = { authorization: `Bearer ${guest.secret}` };
    expect((await service.api("GET", path, { agent: null, headers })).status).toBe(401);
  }
  (await service.api("GET", "/v1/guest/booking")).refused("unauthenticated");
  const nobody = (await callsWith(service, "")("GET", BOOKING)).refused("unauthenticated");
  expect(nobody.remediation).toStartWith("Ask for a link by mail");
  const [ask, ...others] = nobody.next_actions;
  expect([others, ask!.fill_in!.map(({ path }) => path)]).toEqual([
    [],
    ["/email", "/confirmation_code"],
  ]);
  const { email, confirmation_code } = booked;
  const body = { ...ask!.body_hint, email, confirmation_code };
  (await service.api(ask!.method, ask!.href, { agent: null, headers: fromSomewhere(), body })).ok(
    202,
  );
  (await guest("DELETE", "/session")).ok();
  (await guest("GET", BOOKING)).refused("unauthenticated");
  (await neighbour("POST", CANCEL, { expected_refund: 20_000 })).ok();
  const erase = `/v1/admin/bookings/${other.booking_id}/erase-guest`;
  await until("the guest can be erased", async () => {
    return (await service.api("POST", erase, { agent: service.demo.admin })).status === 200;
  });
  for (const path of [BOOKING, "/booking/receipts"]) {
    (await neighbour("GET", path)).refused("unauthenticated");
  }
  const third = await guestOf(service, await book());
  (await third("GET", BOOKING)).ok();
  inStore("UPDATE session SET expires_at = 0");
  (await third("GET", BOOKING)).refused("unauthenticated");
});

test("another address given by the property ends the sessions of the former one", async () => {
  const booked = await book();
  const guest = await guestOf(service, booked);
  const body = { guest: { primary: { email: "other@example.com" } } };
  const path = `/v1/bookings/${booked.booking_id}`;
  (await service.api("PATCH", path, { agent: service.demo.admin, body })).ok();
  (await guest("GET", BOOKING)).refused("unauthenticated");
});

test("a cut-off that passes while the guest reads is said, and the guest is asked again", async () => {
  const agent = service.demo.test_agent;
  const stay = stayRequest(testHotel, { inDays: 30 });
  const booked = await bookedByGuest(service, stay, { agent });
  const guest = await guestOf(service, booked);
  const quote = async () => (await guest("GET", "/booking/cancellation-quote")).ok<Cost>().data;
  const before = (await quote()).refund.amount;
  const clock = { agent: service.demo.test_admin, body: { advance_s: 29.5 * 86_400 } };
  (await service.api("POST", "/v1/admin/test-clock", clock)).ok();
  const asked = await guest("POST", CANCEL, { expected_refund: before });
  const { detail, next_actions } = asked.refused("conflict");
  const after = (await quote()).refund.amount;
  expect(after).toBeLessThan(before);
  expect(detail).toMatchObject({ reason: "refund_changed", refund: after });
  expect(next_actions.map(({ href }) => href)).toEqual(["/v1/guest/booking/cancellation-quote"]);
  (await guest("POST", CANCEL, { expected_refund: after })).ok();
});

test("asking for links is limited by address", async () => {
  const here = fromSomewhere();
  const body = { email: "eve@example.com", confirmation_code: "ZZZZZZZZ" };
  const ask = (headers = here) =>
    service.api("POST", "/v1/guest/magic-links", { agent: null, headers, body });
  const answers = [];
  for (let i = 0; i < 12; i += 1) answers.push(await ask());
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(202));
  answers.at(-1)!.refused("rate_limited");
  (await ask(fromSomewhere())).ok(202);
});
