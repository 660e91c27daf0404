/**
 * Goal: a property books for a guest at its desk by itself, finds the guest by a part of the name
 * and keeps notes, and nothing of it is anybody else's. Method: a real service; tonight, in two
 * zones that never have the same date.
 */
import { beforeAll, expect, test } from "bun:test";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { canonicalJson } from "../../engine/core/canonical.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import {
  createHotel,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  type Quote,
  stayRequest,
} from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const operator = service.demo.admin;
const AT = "/v1/admin/bookings";
const ZONE = "Pacific/Kiritimati";

let hotel: Hotel;
/** 25 hours behind. */
let west: Hotel;

const post = (path: string, body: object, agent = operator, key = newKey()) =>
  service.api("POST", path, { agent, headers: { "idempotency-key": key }, body });
const get = (path: string, agent = operator) => service.api("GET", path, { agent });

function tonight(at: Hotel, timezone = ZONE, nights = 1) {
  const [room] = at.rooms;
  const today = todayIn(timezone, Date.now());
  return {
    ...{ hotel_id: at.id, room_type_id: room!.id, rate_plan_id: room!.planIds[0]! },
    stay: { check_in: dateOf(today), check_out: dateOf(today + nights) },
    guests: { adults: 2 },
  };
}

const guestOf = (full_name: string) => {
  return { primary: { full_name, email: `${newKey()}@example.com` } };
};

/** A hold that is paid at the property. */
async function heldAtDesk(
  at = hotel,
  timezone = ZONE,
  nights = 1,
): Promise<Hold & { quote: Quote }> {
  const quote = (await post(`${AT}/quote`, tonight(at, timezone, nights))).ok<Quote>(201).data;
  const hold = (await post("/v1/holds", { quote_id: quote.quote_id })).ok<Hold>(201).data;
  return { ...hold, quote };
}

type Booked = { readonly booking_id: string; readonly confirmation_code: string };

async function bookedAtDesk(full_name: string, at = hotel, nights = 1): Promise<Booked> {
  const { hold_id, quote_id } = await heldAtDesk(at, ZONE, nights);
  const payment = { method: "at_property" };
  const body = { hold_id, quote_id, guest: guestOf(full_name), payment };
  return (await post(AT, body)).ok<Booked>(201).data;
}

beforeAll(async () => {
  hotel = await createHotel(service, { units: [60], timezone: ZONE, checkinTime: "00:00" });
  west = await createHotel(service, { units: [5], timezone: "Pacific/Pago_Pago" });
});

test("the next actions of a hold of the desk lead to its booking there", async () => {
  const quote = (await post(`${AT}/quote`, tonight(hotel))).ok<Quote>(201).data;
  const held = (await post("/v1/holds", { quote_id: quote.quote_id })).ok<Hold>(201);
  const read = (await get(`/v1/holds/${held.data.hold_id}`)).ok();
  for (const { next_actions } of [held, read]) expect(next_actions[0]).toMatchObject({ href: AT });
  const { href, body_hint } = held.next_actions[0]!;
  const body = { ...body_hint, guest: guestOf("Ada"), payment: { method: "at_property" } };
  (await service.api("POST", href, { agent: operator, body })).ok(201);
});

test("tonight is booked at the desk, with everything due at the property", async () => {
  const { hold_id, quote_id, quote } = await heldAtDesk();
  const { total } = quote.price_breakdown;
  expect(quote.price_breakdown).toMatchObject({ due_now: 0, due_at_property: total });
  const guest = guestOf("Ada Lovelace");
  const body = { hold_id, quote_id, guest, payment: { method: "at_property" } };
  const key = newKey();
  const done = (await post(AT, body, operator, key)).ok<Booked>(201);
  expect(done.data).toMatchObject({
    ...{ payment: null, state: "confirmed" },
    traveler: { iss: `${service.demo.base_url}/desk`, sub: hold_id },
    price_breakdown: { due_now: 0, due_at_property: total },
    policy_snapshot: { after_last_tier: { fee: 0, refund: 0 }, no_show: { fee: 0 } },
  });
  expect(done.receipt).toMatchObject({ subject: { total, captured: 0 } });
  const again = await post(AT, body, operator, key);
  expect([again.isReplayed, again.ok(201).data]).toEqual([true, done.data]);
  const { booking_id } = done.data;
  const shown = (await get(`/v1/bookings/${booking_id}`)).ok<{ policy_snapshot: object }>().data;
  expect(shown).toMatchObject({ guest, payment: null, price_breakdown: { due_now: 0 } });
  const audit = (await get(`/v1/bookings/${booking_id}/audit`)).ok<{ events: object[] }>().data;
  const actor = { kind: "operator", id: operator.agent_id };
  expect(audit.events.at(-1)).toMatchObject({ type: "booking.confirmed", actor });
  (await post(`${AT}/${booking_id}/check-in`, {})).ok();
  (await post(`${AT}/${booking_id}/complete`, {})).ok();
});

test("the hashes of a booking at the desk are those of the price and terms it shows", async () => {
  const { price_breakdown, policy_snapshot } = (await post(`${AT}/quote`, tonight(hotel))).ok<{
    price_breakdown: Hashed;
    policy_snapshot: Hashed;
  }>(201).data;
  const { display: _display, ...price } = price_breakdown;
  for (const { hash, ...hashed } of [price, policy_snapshot]) {
    expect(hash).toBe(`sha256:${Bun.SHA256.hash(canonicalJson(hashed), "hex")}`);
  }
});

test("a day is the property's own: tonight is sold there when it is another date elsewhere", async () => {
  const east = await heldAtDesk();
  const other = await heldAtDesk(west, "Pacific/Pago_Pago");
  expect([east.state, other.state]).toEqual(["held", "held"]);
  const yesterday = tonight(west, "Pacific/Pago_Pago");
  const refused = await post(`${AT}/quote`, { ...tonight(hotel), stay: yesterday.stay });
  expect(await refused.faults()).toEqual(["/stay/check_in"]);
});

test("nothing was paid, so a cancellation and a no-show keep and refund nothing", async () => {
  const [first, second] = [await bookedAtDesk("Grace Hopper"), await bookedAtDesk("Alan Turing")];
  const zero = { fee: { amount: 0 }, refund: null };
  const cancelled = await post(`${AT}/${first.booking_id}/cancel`, { reason: "changed plans" });
  expect(cancelled.ok().data).toMatchObject(zero);
  const missed = await post(`${AT}/${second.booking_id}/no-show`, {});
  expect(missed.ok().data).toMatchObject(zero);
  (await post(`${AT}/${second.booking_id}/refunds`, { reason: "goodwill" })).refused(
    "no_capturable_payment",
  );
});

test("key figures count the nights of unpaid bookings, and no fee, refund or paid empty night", async () => {
  const inn = await createHotel(service, {
    ...{ units: [5], rate: 10_000, timezone: ZONE, checkinTime: "00:00" },
  });
  const [left, cancelled, missed] = [
    await bookedAtDesk("Emmy Noether", inn, 3),
    await bookedAtDesk("Sofia Kovalevskaya", inn, 2),
    await bookedAtDesk("Mary Cartwright", inn, 2),
  ];
  await bookedAtDesk("Julia Robinson", inn, 2);
  const from = todayIn(ZONE, Date.now());
  const range = `from=${dateOf(from)}&to=${dateOf(from + 4)}&granularity=total`;
  const figures = async () => {
    const answer = await get(`/v1/admin/kpis?${range}&property_id=${inn.id}`);
    return answer.ok<{ total: { by_currency: object[] } }>().data.total;
  };
  const nothing = { cancellation_fees: 0, no_show_fees: 0, refunds: 0, refunded: 0 };
  const before = { ...nothing, rooms_sold: 9, room_revenue: 90_000, adr: 10_000 };
  expect((await figures()).by_currency).toMatchObject([before]);
  (await post(`${AT}/${cancelled.booking_id}/cancel`, { reason: "changed plans" })).ok();
  (await post(`${AT}/${missed.booking_id}/no-show`, {})).ok();
  (await post(`${AT}/${left.booking_id}/check-in`, {})).ok();
  (await post(`${AT}/${left.booking_id}/complete`, {})).ok();
  const after = { ...nothing, rooms_sold: 2, room_revenue: 20_000, early_departure_revenue: 0 };
  expect(await figures()).toMatchObject({
    ...{ bookings_made: 4, bookings_cancelled: 1, no_shows: 1, payments_failed: 0 },
    by_currency: [after],
  });
});

test("a card is charged by its token, and only with one", async () => {
  const quote = (await post("/v1/quotes", tonight(hotel))).ok<Quote>(201).data;
  const hold = (await post("/v1/holds", { quote_id: quote.quote_id })).ok<Hold>(201).data;
  const { hold_id, quote_id } = hold;
  const asked = { hold_id, quote_id, guest: guestOf("Edsger Dijkstra") };
  const at = async (payment: object) => post(AT, { ...asked, payment });
  const { due_now } = quote.price_breakdown;
  expect((await at({ method: "at_property" })).refused("conflict").detail).toMatchObject({
    ...{ reason: "payment_due", hold_id },
    ...{ due_now, currency: "EUR" },
  });
  const bad = [{ method: "card" }, { method: "at_property", provider_token: "tok_test_ok" }];
  for (const payment of bad) {
    expect(await (await at(payment)).faults()).toEqual(["/payment/provider_token"]);
  }
  (await at({ method: "card", provider_token: "tok_test_declined" })).refused("payment_failed");
  const paid = (await at({ method: "card", provider_token: "tok_test_ok" })).ok<Booked>(201);
  expect(paid.data).toMatchObject({ payment: { state: "captured", amount: due_now } });
});

test("an agent's hold needs its traveler, and an agent has no desk", async () => {
  const theirs = await newHold(service, stayRequest(hotel));
  const { hold_id, quote_id } = theirs;
  const payment = { method: "card", provider_token: "tok_test_ok" };
  const body = { hold_id, quote_id, guest: guestOf("Eve"), payment };
  const { detail } = (await post(AT, body)).refused("resource_access_denied");
  expect(detail).toEqual({ reason: "hold_of_another", hold_id });
  const own = await heldAtDesk();
  const { agent } = service.demo;
  (await post(AT, { ...body, ...own }, agent)).refused("principal_kind_not_allowed");
  (await post(`${AT}/quote`, tonight(hotel), agent)).refused("principal_kind_not_allowed");
  const known = { hold_id: own.hold_id, quote_id: own.quote_id };
  const desk = { ...known, guest: guestOf("Eve"), payment: { method: "at_property" } };
  const [clerk] = await service.newAgents([{ kind: "operator", scopes: ["admin:bookings"] }]);
  (await post(AT, desk, clerk)).refused("forbidden");
  (await post(AT, desk, service.demo.second_tenant.admin)).refused("hold_not_found");
});

test("the tenant's policy asks the desk for no approval, but a credential's own limit holds", async () => {
  const policy = "/v1/admin/authorization-policy";
  const put = (body: object) => service.api("PUT", policy, { agent: operator, body });
  (await put({ required_when: "always" })).ok();
  try {
    await bookedAtDesk("Barbara Liskov");
    const limits = { max_booking_amount: { amount: 1, currency: "EUR" } };
    const [clerk] = await service.newAgents([{ kind: "operator", limits }]);
    const quote = (await post(`${AT}/quote`, tonight(hotel), clerk)).ok<Quote>(201).data;
    const held = await post("/v1/holds", { quote_id: quote.quote_id }, clerk);
    const { hold_id, quote_id } = held.ok<Hold>(201).data;
    const payment = { method: "at_property" };
    const body = { hold_id, quote_id, guest: guestOf("Ed"), payment };
    const refused = (await post(AT, body, clerk)).refused("authorization_required");
    expect(refused.detail).toMatchObject({ policy: "max_booking_amount" });
  } finally {
    (await put({ required_when: "never" })).ok();
  }
});

interface Found {
  readonly items: readonly { guest: { primary: { full_name: string } } }[];
  readonly searched: number;
  readonly next_after: string | null;
}

const search = (body: object, agent = operator): Promise<Answer> =>
  service.api("POST", `${AT}/search`, { agent, body });

async function namesOf(body: object, agent = operator): Promise<string[]> {
  const { items } = (await search({ property_id: hotel.id, ...body }, agent)).ok<Found>().data;
  return items.map(({ guest }) => guest.primary.full_name);
}

test("a guest is found by parts of the name, within what the caller reaches", async () => {
  const { booking_id } = await bookedAtDesk("José Muñoz Peña");
  expect(await namesOf({ guest: "munoz JOSE" })).toEqual(["José Muñoz Peña"]);
  expect(await namesOf({ guest: "uño", state: "confirmed" })).toEqual(["José Muñoz Peña"]);
  expect(await namesOf({ guest: "munoz", state: "cancelled" })).toEqual([]);
  const far = { check_in_from: "2030-01-01", check_in_to: "2030-02-01" };
  expect(await namesOf({ guest: "munoz", ...far })).toEqual([]);
  const faults = async (body: object) => (await search(body)).faults();
  expect(await faults({ guest: "é" })).toEqual(["/guest"]);
  expect(await faults({ guest: "munoz", check_in_from: "2030-01-01" })).toEqual(["/check_in_to"]);
  expect(await faults({ guest: "munoz", ...far, check_in_to: "2032-02-30" })).toEqual([
    "/check_in_to",
  ]);
  (await search({ guest: "munoz", after: "bkg_x" })).refused("booking_not_found");
  const { admin } = service.demo.second_tenant;
  expect((await search({ guest: "munoz" }, admin)).ok<Found>().data.items).toEqual([]);
  const [elsewhere, blind] = (await service.newAgents([
    { kind: "operator", property_ids: [west.id] },
    { kind: "operator", scopes: ["admin:bookings"] },
  ])) as [DemoAgent, DemoAgent];
  expect((await search({ guest: "munoz" }, elsewhere)).ok<Found>().data.searched).toBe(0);
  (await search({ guest: "munoz", property_id: hotel.id }, elsewhere)).refused(
    "resource_access_denied",
  );
  (await search({ guest: "munoz" }, blind)).refused("forbidden");
  (await post(`${AT}/${booking_id}/cancel`, { reason: "changed plans" })).ok();
  (await post(`${AT}/${booking_id}/erase-guest`, {})).ok();
  expect(await namesOf({ guest: "munoz" })).toEqual([]);
});

test("a search goes on where it ended: every booking is looked at once, the last made first", async () => {
  const made = [];
  for (const nth of [1, 2, 3]) made.push(await bookedAtDesk(`Radia Perlman ${nth}`));
  const all = (await search({ guest: "perlman", property_id: hotel.id })).ok<Found>().data;
  expect(all.items.map(({ guest }) => guest.primary.full_name)).toEqual([
    ...["Radia Perlman 3", "Radia Perlman 2", "Radia Perlman 1"],
  ]);
  expect(all.next_after).toBeNull();
  const after = made[1]!.booking_id;
  expect(await namesOf({ guest: "perlman", after })).toEqual(["Radia Perlman 1"]);
  const rest = (await search({ guest: "perlman", property_id: hotel.id, after })).ok<Found>().data;
  expect(rest.searched).toBe(all.searched - 2);
});

interface Notes {
  readonly items: readonly { text: string | null; author: string; note_id: string }[];
}

test("notes are for the property's own operators, and are erased with the guest", async () => {
  const { booking_id } = await bookedAtDesk("Lynn Conway");
  const notes = `${AT}/${booking_id}/notes`;
  const text = 'Arrives late; <b>allergic</b> to nuts. "ضيف"';
  const key = newKey();
  const made = (await post(notes, { text }, operator, key)).ok<{ note_id: string }>(201).data;
  expect((await post(notes, { text }, operator, key)).isReplayed).toBe(true);
  (await post(notes, { text: "A second one." })).ok(201);
  const listed = async (agent = operator) => (await get(notes, agent)).ok<Notes>().data.items;
  expect(await listed()).toMatchObject([
    { note_id: made.note_id, text, author: operator.agent_id },
    { text: "A second one." },
  ]);
  const [blind, elsewhere] = (await service.newAgents([
    { kind: "operator", scopes: ["admin:bookings"] },
    { kind: "operator", property_ids: [west.id] },
  ])) as [DemoAgent, DemoAgent];
  expect((await listed(blind)).map((note) => note.text)).toEqual([null, null]);
  for (const call of [get(notes, elsewhere), post(notes, { text }, elsewhere)]) {
    (await call).refused("resource_access_denied");
  }
  const { admin } = service.demo.second_tenant;
  (await post(notes, { text }, admin)).refused("booking_not_found");
  (await get(notes, service.demo.agent)).refused("principal_kind_not_allowed");
  for (const path of [`/v1/bookings/${booking_id}`, `/v1/bookings/${booking_id}/audit`]) {
    expect((await get(path)).ok<object>().data).not.toHaveProperty("notes");
    expect((await get(path)).text).not.toContain("allergic");
    expect((await get(path)).text).not.toContain("note_added");
  }
  const events = await get(
    `/v1/admin/events?kinds=booking.note_added&subject=booking:${booking_id}`,
  );
  expect(events.ok<{ items: object[] }>().data.items).toHaveLength(2);
  expect(events.text).not.toContain("allergic");
  expect(await (await post(notes, { text: " \n" })).faults()).toEqual(["/text"]);
  expect(await (await post(notes, { text: "x".repeat(2001) })).faults()).toEqual(["/text"]);
  (await post(`${AT}/${booking_id}/cancel`, { reason: "changed plans" })).ok();
  (await post(`${AT}/${booking_id}/erase-guest`, {})).ok();
  await until("the notes are erased", async () => (await listed()).every((note) => !note.text));
  const late = (await post(notes, { text })).refused("conflict");
  expect(late.detail).toMatchObject({ reason: "guest_erased" });
});

test("a booking has a bounded number of notes", async () => {
  const { booking_id } = await bookedAtDesk("Margaret Hamilton");
  const notes = `${AT}/${booking_id}/notes`;
  for (let nth = 0; nth < 50; nth += 1) (await post(notes, { text: `No. ${nth}` })).ok(201);
  const { detail } = (await post(notes, { text: "one more" })).refused("conflict");
  expect(detail).toMatchObject({ reason: "note_limit", limit: 50 });
  // It is the same booking still: no note makes a version.
  expect((await get(`/v1/bookings/${booking_id}`)).ok().data).toMatchObject({ version: 1 });
});

test("an agent's booking has notes too, which its agent does not see", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  (await post(`${AT}/${booking_id}/notes`, { text: "Wants the quiet side." })).ok(201);
  const { agent } = service.demo;
  for (const path of [`/v1/bookings/${booking_id}`, `/v1/bookings/${booking_id}/audit`]) {
    const shown = await get(path, agent);
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain("quiet side");
  }
});

type Hashed = Readonly<Record<string, unknown>> & { readonly hash: string };
