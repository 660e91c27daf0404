/**
 * Goal: a day at the desk of a hotel works by API alone. Method: rooms ready from midnight on,
 * guests who arrive, do not arrive and depart today, and a service restarted on a directory from
 * before the desk's index.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dateOf, localInstant, todayIn } from "../../engine/core/calendar.ts";

import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  type Hold,
  newHold,
  newKey,
  newQuote,
  propertyBody,
  putOnSale,
  type StayRequest,
  sendHold,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { isRunning, Service, until } from "../support/service.ts";

const ZONE = "Europe/Madrid";
const UNITS = 3;

let service: Service;
let hotel: ReturnType<typeof propertyBody>;
let today: number;
let ada: Booking;
let grace: Booking;
let alan: Booking;

const AT = "/v1/admin/bookings";

interface DeskBooking {
  readonly booking_id: string;
  readonly state: string;
  readonly guest: { readonly primary: { readonly full_name: string } };
}

/** Two nights from so many days on, at half the price for who never comes. */
function stayFrom(inDays: number): StayRequest {
  const room = hotel.room_types[0]!;
  const first = today + inDays;
  return {
    hotel_id: hotel.id,
    room_type_id: room.id,
    rate_plan_id: room.rate_plans[0]!.id,
    stay: { check_in: dateOf(first), check_out: dateOf(first + 2) },
    guests: { adults: 2 },
  };
}

async function booked(name: string, email: string, inDays: number, token?: string) {
  const hold = await newHold(service, stayFrom(inDays));
  const guest = { primary: { full_name: name, email } };
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const body = { ...bookingBody(hold, token), guest };
  const made = await service.api("POST", "/v1/bookings", { headers, body });
  return made.ok<Booking & Pick<Hold, "hold_id">>(201).data;
}

const ask = (path: string, agent = service.demo.admin) => service.api("GET", path, { agent });

/** Who is found at the desk, by name. */
async function found(query: string, agent = service.demo.admin): Promise<string[]> {
  const answer = await ask(`${AT}?${query}`, agent);
  const { items } = answer.ok<{ items: DeskBooking[] }>().data;
  return items.map(({ guest }) => guest.primary.full_name);
}

function atDesk({ booking_id }: Booking, step: string, body?: object): Promise<Answer> {
  const headers = { "idempotency-key": newKey() };
  const options = { agent: service.demo.admin, headers, ...(body && { body }) };
  return service.api("POST", `${AT}/${booking_id}/${step}`, options);
}

/** Units that can be held tonight. */
async function leftTonight(): Promise<number> {
  return (await newQuote(service, stayFrom(0))).availability.sellable;
}

beforeAll(async () => {
  service = await Service.start();
  today = todayIn(ZONE, Date.now());
  const body = propertyBody({ units: [UNITS], timezone: ZONE });
  const policies = body.policies.map((each) => ({ ...each, no_show_fee_pct: 50 }));
  hotel = { ...body, checkin_time: "00:00", policies };
  await putOnSale(service, hotel);
  ada = await booked("Ada Lovelace", "ada@example.com", 0);
  grace = await booked("Grace Hopper", "Grace.Hopper@Example.com", 0);
  alan = await booked("Alan Turing", "alan@example.com", 20, "tok_test_refund_fails");
});
afterAll(() => service.stop());

test("guests are found by their details", async () => {
  const arrivals = `arrivals=${dateOf(today)}`;
  expect(await found(arrivals)).toEqual(["Grace Hopper", "Ada Lovelace"]);
  expect(await found(`${arrivals}&property_id=${hotel.slug}`)).toHaveLength(2);
  expect(await found(`in_house=${dateOf(today + 1)}`)).toHaveLength(2);
  expect(await found(`in_house=${dateOf(today + 2)}`)).toEqual([]);
  expect(await found(`departures=${dateOf(today + 22)}`)).toEqual(["Alan Turing"]);
  const within = `check_in_from=${dateOf(today + 1)}&check_in_to=${dateOf(today + 60)}`;
  expect(await found(within)).toEqual(["Alan Turing"]);
  expect(await found("guest=GRACE.hopper%40example.COM")).toEqual(["Grace Hopper"]);
  expect(await found("guest=%20ada%20%20lovelace")).toEqual(["Ada Lovelace"]);
  expect(await found("guest=ada")).toEqual([]);
  const code = `${ada.confirmation_code.slice(0, 4)}-${ada.confirmation_code.slice(4)}`;
  expect(await found(`confirmation_code=${code.toLowerCase()}`)).toEqual(["Ada Lovelace"]);
  expect(await found(`${arrivals}&guest=alan%40example.com`)).toEqual([]);
});

test("a search needs no range; half a range or one that is too wide is refused by name", async () => {
  const faults = async (query: string) => (await ask(`${AT}?${query}`)).faults();
  const all = (await ask(AT)).ok<{ items: object[] }>().data.items.length;
  const confirmed = (await ask(`${AT}?state=confirmed`)).ok<{ items: object[] }>().data.items;
  expect(confirmed.length).toBeWithin(1, all + 1);
  expect(await faults("check_in_from=2027-01-01")).toEqual(["?check_in_to"]);
  expect(await faults("check_in_from=2027-01-01&check_in_to=2028-01-03")).toEqual(["?check_in_to"]);
  expect(await faults("check_in_from=2027-01-02&check_in_to=2027-01-01")).toEqual(["?check_in_to"]);
  expect(await faults("arrivals=2027-02-30&state=gone")).toEqual(["?arrivals", "?state"]);
  (await ask(`${AT}?arrivals=2027-01-01&property_id=nowhere`)).refused("property_not_found");
});

test("bookings are found by when they were made, both ends included, in any zone's writing", async () => {
  const created = async ({ booking_id }: Booking) =>
    (await ask(`/v1/bookings/${booking_id}`)).ok<{ created_at: string }>().data.created_at;
  const [first, second] = [await created(ada), await created(grace)];
  const made = (from: string, to: string) =>
    found(new URLSearchParams({ created_from: from, created_to: to }).toString());
  expect(await made(first, second)).toEqual(["Grace Hopper", "Ada Lovelace"]);
  expect(await made(first, first)).toEqual(["Ada Lovelace"]);
  const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
  expect(await made(later(first, 1), second)).toEqual(["Grace Hopper"]);
  expect(await made(first, later(second, -1))).toEqual(["Ada Lovelace"]);
  const inMadrid = later(first, 2 * 3_600_000).replace("Z", "+02:00");
  expect(await made(inMadrid, first)).toEqual(["Ada Lovelace"]);
  expect(await made(later(first, -86_400_000), later(first, -1))).toEqual([]);
  const faults = async (query: Record<string, string>) =>
    (await ask(`${AT}?${new URLSearchParams(query)}`)).faults();
  expect(await faults({ created_from: first })).toEqual(["?created_to"]);
  expect(await faults({ created_from: second, created_to: first })).toEqual(["?created_to"]);
  const far = later(first, 367 * 86_400_000);
  expect(await faults({ created_from: first, created_to: far })).toEqual(["?created_to"]);
  expect(await faults({ created_from: "yesterday", created_to: first })).toEqual(["?created_from"]);
});

test("a caller without the right to see a booking does not find it", async () => {
  const [colleague, confined] = await service.newAgents([
    {},
    { kind: "operator", property_ids: [crypto.randomUUID()] },
  ]);
  const { second_tenant, test_admin, agent } = service.demo;
  for (const stranger of [second_tenant.admin, test_admin, confined!]) {
    expect(await found(`arrivals=${dateOf(today)}`, stranger)).toEqual([]);
    expect(await found("guest=ada%40example.com", stranger)).toEqual([]);
    expect(await found(`confirmation_code=${ada.confirmation_code}`, stranger)).toEqual([]);
  }
  const query = `/v1/bookings?confirmation_code=${ada.confirmation_code}`;
  const hold = `/v1/bookings?hold_id=${(ada as Booking & { hold_id: string }).hold_id}`;
  for (const path of [query, hold]) {
    const own = (await ask(path, agent)).ok<{ items: Booking[] }>().data.items;
    expect(own.map(({ booking_id }) => booking_id)).toEqual([ada.booking_id]);
    expect((await ask(path, colleague!)).ok<{ items: Booking[] }>().data.items).toEqual([]);
  }
  type Own = { items: (Booking & { guest?: object })[] };
  const own = (await ask("/v1/bookings?state=confirmed", agent)).ok<Own>().data.items;
  expect(own.map(({ booking_id }) => booking_id)).toContain(ada.booking_id);
  expect(own.some(({ guest }) => guest !== undefined)).toBe(false);
  expect((await ask("/v1/bookings", colleague!)).ok<Own>().data.items).toEqual([]);
  const { quote_id } = await newQuote(service, stayFrom(0));
  (await ask(`/v1/quotes/${quote_id}`, colleague!)).refused("quote_not_found");
});

test("a quote offers its hold, once it is held the way there, and its hold again when that is gone", async () => {
  const { quote_id } = await newQuote(service, stayFrom(0));
  const offered = async () => {
    const { next_actions } = (await ask(`/v1/quotes/${quote_id}`, service.demo.agent)).ok();
    return steps(next_actions);
  };
  const canBeHeld = ["create_hold POST /v1/holds"];
  expect(await offered()).toEqual(canBeHeld);
  const { hold_id } = (await sendHold(service, quote_id)).ok<{ hold_id: string }>(201).data;
  expect(await offered()).toEqual([`get GET /v1/holds/${hold_id}`]);
  (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
  expect(await offered()).toEqual(canBeHeld);
});

test("a check-in of the wrong guest is undone by its next action, and the operator is named", async () => {
  const id = grace.booking_id;
  const came = (await atDesk(grace, "check-in")).ok<Readonly<Record<string, string>>>();
  const { undo_until, checked_in_at } = came.data;
  const midnight = localInstant(today + 1, "00:00", ZONE).ms;
  expect(undo_until).toBe(new Date(midnight).toISOString());
  const undo = came.next_actions.at(-1)!;
  expect(undo).toMatchObject({ rel: "cancel", href: `${AT}/${id}/undo-check-in` });
  expect(undo.expires_at).toBe(undo_until);
  const undone = await follow(service, undo, service.demo.admin);
  const { data, next_actions } = undone.ok();
  expect(data).toEqual({ booking_id: id, state: "confirmed", undone_at: expect.any(String) });
  expect(steps(next_actions).at(-1)).toBe(`confirm POST ${AT}/${id}/check-in`);
  expect((await follow(service, undo, service.demo.admin)).text).toBe(undone.text);
  const again = (await atDesk(grace, "undo-check-in")).refused("conflict");
  const detail = { reason: "booking_state", state: "confirmed", needed: "checked_in" };
  expect(again.detail).toEqual({ ...detail, booking_id: id });
  const read = (await ask(`/v1/bookings/${id}`)).ok<{ state: string; version: number }>().data;
  expect(read).toMatchObject({ state: "confirmed", version: 3 });
  expect(await found(`arrivals=${dateOf(today)}&state=checked_in`)).toEqual([]);
  const { events } = (await ask(`/v1/bookings/${id}/audit`)).ok<{ events: object[] }>().data;
  const { agent_id } = service.demo.admin;
  const actor = { kind: "operator", id: agent_id };
  expect(events.at(-1)).toMatchObject({ type: "booking.check_in_undone", actor });
  const published = await ask("/v1/admin/events?kinds=booking.check_in_undone");
  const [event] = published.ok<{ items: { data: object }[] }>().data.items;
  const subject = { type: "booking", id, version: 3 };
  expect(event).toMatchObject({ subject, data: { state: "confirmed", checked_in_at } });
  expect(event!.data).not.toHaveProperty("confirmed_at");
  const { agent } = service.demo;
  const asAgent = await service.api("POST", `${AT}/${id}/undo-check-in`, { agent });
  asAgent.refused("principal_kind_not_allowed");
});

test("after a check-in, a no-show and a waived cancellation the rooms are on sale again", async () => {
  const first = stayFrom(20).stay.check_in;
  const from = localInstant(today + 20, "00:00", ZONE).ms;
  const early = (await atDesk(alan, "check-in")).refused("conflict");
  const about = { reason: "too_early", booking_id: alan.booking_id };
  expect(early.detail).toEqual({ ...about, from: new Date(from).toISOString() });
  expect(first).toBe(dateOf(today + 20));
  expect(await leftTonight()).toBe(UNITS - 2);
  (await atDesk(ada, "check-in")).ok();
  const again = (await atDesk(ada, "check-in")).refused("conflict");
  expect(again.detail).toMatchObject({ reason: "booking_state", state: "checked_in" });
  const missed = (await atDesk(grace, "no-show")).ok().data;
  expect(missed).toMatchObject({
    ...{ state: "no_show", fee: { amount: 10_000 }, free_from: dateOf(today) },
    refund: { amount: 10_000, state: "succeeded" },
  });
  expect(await leftTonight()).toBe(UNITS - 1);
  expect(await found(`arrivals=${dateOf(today)}&state=no_show`)).toEqual(["Grace Hopper"]);
  const waived = await atDesk(alan, "cancel", { reason: "The roof leaks.", waive_fee: true });
  const { data, receipt } = waived.ok();
  expect(data).toMatchObject({ state: "cancelled", waived_fee: { amount: 0 } });
  expect(data).toMatchObject({ refund: { amount: 20_000, state: "failed" } });
  expect(receipt).toMatchObject({ kind: "booking_cancelled" });
  const { cancellation } = (await ask(`/v1/bookings/${alan.booking_id}`)).ok<{
    cancellation: object;
  }>().data;
  expect(cancellation).toMatchObject({ note: "The roof leaks." });
  const { events } = (await ask(`/v1/bookings/${alan.booking_id}/audit`)).ok<{
    events: { type: string; actor: object; data: object }[];
  }>().data;
  const told = events.find(({ type }) => type === "booking.cancelled")!;
  const { agent_id } = service.demo.admin;
  expect(told).toMatchObject({ actor: { kind: "operator", id: agent_id }, data: { jti: null } });
  expect(told.data).not.toHaveProperty("iss");
});

test("a failed refund is shown with its reason and its next action", async () => {
  type Refund = { readonly refund_id: string; readonly booking_id: string };
  const { items } = (await ask("/v1/admin/refunds?state=failed")).ok<{ items: Refund[] }>().data;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    ...{ booking_id: alan.booking_id, is_stuck: true },
    why: "The payment provider declined the refund.",
    next_step: expect.stringContaining("pay the amount back another way"),
  });
  const path = `/v1/admin/refunds/${items[0]!.refund_id}`;
  expect((await ask(path)).ok().data).toEqual({ ...items[0], age_s: expect.any(Number) });
  const young = await ask("/v1/admin/refunds?older_than_s=3600");
  expect(young.ok<{ items: Refund[] }>().data.items).toEqual([]);
  const { payment_id } = ada.payment!;
  const payment = (await ask(`/v1/admin/payments/${payment_id}`)).ok().data;
  expect(payment).toMatchObject({ state: "captured", booking_id: ada.booking_id, why: null });
  expect((await ask("/v1/admin/payments")).ok().data).toEqual({ items: [] });
  expect((await ask("/v1/admin/payments/pay_x")).faults(404)).toEqual(["/payment_id"]);
  const { hold_id } = await newHold(service, stayFrom(0));
  const holds = await ask(`/v1/admin/holds?property_id=${hotel.id}&state=held`);
  expect(holds.ok<{ items: Hold[] }>().data.items.map((each) => each.hold_id)).toEqual([hold_id]);
});

test("an early check-out releases the remaining nights", async () => {
  expect(await found(`departures=${dateOf(today + 2)}&state=checked_in`)).toEqual(["Ada Lovelace"]);
  const before = await leftTonight();
  const { data } = (await atDesk(ada, "complete")).ok();
  expect(data).toMatchObject({ state: "completed", free_from: dateOf(today) });
  expect(await leftTonight()).toBe(before + 1);
  (await atDesk(ada, "cancel", { reason: "too late" })).refused("booking_not_cancellable");
});

interface KeyFigures {
  readonly as_of: { readonly seq: number };
  readonly items: readonly object[];
  readonly total: Readonly<Record<string, unknown>>;
  readonly property_ids: readonly string[];
  readonly agents: readonly { readonly agent_id: string; readonly quotes: number | null }[];
  readonly traffic: { readonly routes: readonly { readonly route: string }[] } | null;
}

async function keyFigures(query: string, agent = service.demo.admin): Promise<KeyFigures> {
  const range = `from=${dateOf(today)}&to=${dateOf(today + 25)}&property_id=${hotel.id}`;
  return (await ask(`/v1/admin/kpis?${range}&${query}`, agent)).ok<KeyFigures>().data;
}

/** As the guests of this file came, did not come and went. */
const KEY_FIGURES = {
  ...{ rooms_available: 26 * UNITS, rooms_out_of_order: 0, rooms_sold: 0, occupancy: 0 },
  ...{ arrivals: 3, cancelled: 1, no_shows: 1, cancellation_rate: 0.3333, no_show_rate: 0.5 },
  ...{ bookings_made: 3, bookings_cancelled: 1, payments_failed: 0, lead_time_days: 0 },
};
const IN_EUROS = {
  ...{ currency: "EUR", rooms_sold: 0, room_revenue: 0, adr: null, revpar: 0 },
  ...{ no_show_fees: 10_000, cancellation_fees: 0, early_departure_revenue: 20_000 },
  ...{ refunds: 1, refunded: 10_000 },
};

test("key figures match the days at the desk, now and as of each event", async () => {
  const { total, as_of, items } = await keyFigures("granularity=week");
  expect(total).toMatchObject({ ...KEY_FIGURES, by_currency: [IN_EUROS] });
  expect(items.length).toBeGreaterThanOrEqual(4);
  const events = (await ask("/v1/admin/events?kinds=booking.confirmed&limit=100")).ok<{
    items: { seq: number; timestamp: string; data: { booking_id: string } }[];
  }>().data.items;
  const booking = events.find(({ data }) => data.booking_id === alan.booking_id)!;
  const booked = { rooms_sold: 6, arrivals: 3, cancelled: 0, no_shows: 0 };
  const money = { rooms_sold: 6, room_revenue: 60_000, adr: 10_000, no_show_fees: 0 };
  const then = await keyFigures(`as_of=${booking.seq}&granularity=total`);
  expect(then.total).toMatchObject({ ...booked, by_currency: [money] });
  expect(then.as_of.seq).toBeGreaterThanOrEqual(booking.seq);
  const atInstant = await keyFigures(`as_of=${booking.timestamp}&granularity=total`);
  expect(atInstant.total).toMatchObject({ ...booked, by_currency: [money] });
  expect((await keyFigures(`as_of=${as_of.seq}&granularity=total`)).total).toEqual(total);
  expect((await keyFigures("as_of=0")).total).toMatchObject({ rooms_available: 0, arrivals: 0 });
  const picked = await keyFigures("pickup_days=1&granularity=total");
  expect(picked.total).toMatchObject({ pickup: { rooms_sold: 0 } });
  const faults = async (query: string) => (await ask(`/v1/admin/kpis?${query}`)).faults();
  expect(await faults("as_of=999999999")).toEqual(["?as_of"]);
  expect(await faults("as_of=soon&granularity=year")).toEqual(["?as_of", "?granularity"]);
  expect(await faults("from=2027-02-01&to=2027-01-01")).toEqual(["?to"]);
});

test("key figures are a table too, and each operator's own", async () => {
  const range = `from=${dateOf(today)}&to=${dateOf(today + 25)}`;
  const path = `/v1/admin/kpis?${range}&granularity=total`;
  const { admin, second_tenant, test_admin, agent } = service.demo;
  const headers = { accept: "text/csv" };
  const mine = await service.api("GET", `${path}&property_id=${hotel.slug}`, {
    agent: admin,
    headers,
  });
  expect(mine.status).toBe(200);
  const [columns, line, ...rest] = mine.text.trimEnd().split("\r\n");
  expect(columns).toStartWith("from,to,rooms_available,rooms_out_of_order,rooms_sold,occupancy");
  expect(line!.split(",")[columns!.split(",").indexOf("no_show_fees")]).toBe("10000");
  expect(rest).toEqual([]);
  const [confined, unscoped] = await service.newAgents([
    { kind: "operator", property_ids: [crypto.randomUUID()] },
    { kind: "operator", scopes: ["admin:holds"] },
  ]);
  for (const stranger of [second_tenant.admin, test_admin, confined!]) {
    expect((await ask(`${path}&property_id=${hotel.id}`, stranger)).status).toBeGreaterThan(402);
    const { property_ids, agents, traffic } = (await ask(path, stranger)).ok<KeyFigures>().data;
    expect(property_ids).not.toContain(hotel.id);
    expect(agents).toEqual([]);
    if (stranger === confined) expect(traffic).toBeNull();
  }
  (await ask(path, unscoped!)).refused("forbidden");
  (await ask(path, agent)).refused("principal_kind_not_allowed");
});

test("lists of operators are tables too, a line for each item, with the guest of a booking", async () => {
  const { admin } = service.demo;
  const columns = {
    [`${AT}?arrivals=${dateOf(today)}`]: "guest.primary.full_name",
    "/v1/admin/holds?state=held": "total.amount",
    "/v1/admin/payments?older_than_s=0": "is_stuck",
    "/v1/admin/refunds?state=failed": "next_step",
    "/v1/admin/agents?format=csv": "agent_id",
    "/v1/admin/webhooks/deliveries?limit=5": "delivery_id",
    "/v1/admin/events?limit=2": "subject.id",
  };
  for (const [path, column] of Object.entries(columns)) {
    const { items } = (await ask(path.replace("format=csv", "format=json"))).ok<{
      items: object[];
    }>().data;
    const headers = { accept: "text/csv" };
    const table = await service.api("GET", path, { agent: admin, headers });
    expect([path, table.status]).toEqual([path, 200]);
    expect(table.headers.get("content-type")).toStartWith("text/csv");
    const [head, ...lines] = table.text.trimEnd().split("\r\n");
    expect([path, head!.split(",").includes(column)]).toEqual([path, true]);
    expect([path, lines.length]).toEqual([path, items.length]);
  }
  const page = await service.api("GET", "/v1/admin/events?limit=2&format=csv", { agent: admin });
  expect(page.headers.get("link")).toContain("/v1/admin/events?after_seq=2");
  expect(page.headers.get("link")).toContain("format=csv");
});

test("key figures survive a worker that is killed, and a file that is lost", async () => {
  const { worker } = service.pids;
  process.kill(worker!, "SIGKILL");
  await until("the worker is there again", () => {
    const { worker: next } = service.pids;
    return next !== undefined && next !== worker && isRunning(next);
  });
  expect((await keyFigures("granularity=total")).total).toMatchObject(KEY_FIGURES);
  await service.end("SIGTERM");
  const files = readdirSync(service.dataDir).filter((name) => name.startsWith("kpi.db"));
  expect(files).toContain("kpi.db");
  for (const name of files) rmSync(join(service.dataDir, name));
  await service.restart();
  const again = await keyFigures("granularity=total");
  expect(again.total).toMatchObject({ ...KEY_FIGURES, by_currency: [IN_EUROS] });
  // Counts of requests were written at the end, beside a worker that still started.
  const { agent_id } = service.demo.agent;
  const mine = again.agents.find((each) => each.agent_id === agent_id)!;
  expect(mine).toMatchObject({ searches: 0, bookings: 3 });
  expect(mine.quotes).toBeGreaterThanOrEqual(3);
  const routes = again.traffic!.routes.map(({ route }) => route);
  expect(routes).toEqual(expect.arrayContaining(["quote", "hold", "book", "admin_get_kpis"]));
});
