/**
 * Goal: one read has the day of a desk, for each property by its own date. Method: a real service
 * in test mode, whose clock the test moves, with two hotels whose dates are never the same.
 */
import { beforeAll, expect, test } from "bun:test";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { DEFAULT_SCOPES, NO_LIMITS } from "../../src/access/control/agents.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { steps } from "../support/answer.ts";
import {
  bookingBody,
  createHotel,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  sendBooking,
} from "../support/client.ts";
import { givenDelivery } from "../support/deliveries.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const { test_agent: agent, test_admin: operator } = service.demo;

/** 25 hours apart. */
const WEST = "Pacific/Pago_Pago";
const EAST = "Pacific/Kiritimati";
const UNITS = 3;
const DAY_S = 86_400;
const PATH = "/v1/admin/desk/today";

interface Item {
  readonly booking_id: string;
  readonly property_id: string;
  readonly state: string;
  readonly is_late?: boolean;
  readonly guest: object | null;
}
interface List {
  readonly total: number;
  readonly items: readonly Item[];
}
interface Today {
  readonly property_id: string | null;
  readonly days: readonly { date: string; timezone: string; properties: number }[];
  readonly arrivals: List;
  readonly in_house: List;
  readonly departures: List;
  readonly free_tonight: number | null;
  readonly oversold_tonight: number;
  readonly needs: Readonly<Record<string, number | null>>;
}

let west: Hotel;
let east: Hotel;
/** Both arrive today, for two nights and one. */
let westGuest: string;
let eastGuest: string;
let offsetS = 0;

const today = (zone: string) => todayIn(zone, Date.now() + 1000 * offsetS);

function stayAt(hotel: Hotel, firstDay: number, nights: number) {
  const { id: room_type_id, planIds } = hotel.rooms[0]!;
  const stay = { check_in: dateOf(firstDay), check_out: dateOf(firstDay + nights) };
  const at = { hotel_id: hotel.id, room_type_id, rate_plan_id: planIds[0]! };
  return { ...at, stay, guests: { adults: 2 } };
}

async function book(hotel: Hotel, firstDay: number, nights: number, token?: string) {
  const stay = stayAt(hotel, firstDay, nights);
  if (token === undefined) return (await newBooking(service, stay, { agent })).booking_id;
  const hold = await newHold(service, stay, { agent });
  const made = await sendBooking(service, hold, { agent, token });
  return made.ok<{ readonly booking_id: string }>(201).data.booking_id;
}

async function answered(query = "", by: DemoAgent = operator) {
  return (await service.api("GET", `${PATH}${query}`, { agent: by })).ok<Today>();
}
const read = async (query = "", by?: DemoAgent) => (await answered(query, by)).data;

/** The lists in short: who is in them, and whether late. */
async function lists(query = "", by?: DemoAgent) {
  const { arrivals, in_house, departures } = await read(query, by);
  const short = ({ total, items }: List) => {
    expect(total).toBe(items.length);
    return items.map(({ booking_id, is_late }) => [booking_id, is_late]);
  };
  const [arriving, staying, leaving] = [arrivals, in_house, departures].map(short);
  return { arriving, staying, leaving };
}

async function post<T = object>(path: string, body: object = {}) {
  const headers = { "idempotency-key": newKey() };
  return (await service.api("POST", path, { agent: operator, headers, body })).ok<T>().data;
}
const atDesk = (id: string, step: string, body?: object) =>
  post(`/v1/admin/bookings/${id}/${step}`, body);

async function nextDay(): Promise<void> {
  await post("/v1/admin/test-clock", { advance_s: DAY_S });
  offsetS += DAY_S;
}

beforeAll(async () => {
  const terms = { operator, units: [UNITS], checkinTime: "00:00" };
  west = await createHotel(service, { ...terms, timezone: WEST });
  east = await createHotel(service, { ...terms, timezone: EAST });
});

test("each property has its own today, and only what is due there is listed", async () => {
  const before = (await read()).free_tonight!;
  westGuest = await book(west, today(WEST), 2);
  eastGuest = await book(east, today(EAST), 1);
  // Dates that are today at the other hotel, or between the two.
  await book(west, today(EAST), 1);
  await book(east, today(EAST) + 1, 1);
  const byPlace = [
    [west.id, westGuest],
    [east.id, eastGuest],
  ].sort(([a], [b]) => (a! < b! ? -1 : 1));
  const arriving = byPlace.map(([, id]) => [id, false]);
  expect(await lists()).toEqual({ arriving, staying: [], leaving: [] });
  const all = await read();
  expect(all.days).toContainEqual({ date: dateOf(today(WEST)), timezone: WEST, properties: 1 });
  expect(all.days).toContainEqual({ date: dateOf(today(EAST)), timezone: EAST, properties: 1 });
  expect(all).toMatchObject({ property_id: null, oversold_tonight: 0 });
  expect(all.free_tonight).toBe(before - 2);
  const ofWest = await read(`?property_id=${west.slug}`);
  expect(ofWest).toMatchObject({
    ...{ property_id: west.id, free_tonight: UNITS - 1, oversold_tonight: 0 },
    days: [{ date: dateOf(today(WEST)), timezone: WEST, properties: 1 }],
    arrivals: { total: 1, items: [{ booking_id: westGuest, state: "confirmed" }] },
  });
});

test("an item is what the list of bookings has of it, and when it is late", async () => {
  const { arrivals } = await read(`?property_id=${west.id}`);
  const path = `/v1/admin/bookings?property_id=${west.id}&arrivals=${dateOf(today(WEST))}`;
  const answer = await service.api("GET", path, { agent: operator });
  const [same] = answer.ok<{ items: readonly Item[] }>().data.items;
  expect(arrivals.items).toEqual([{ ...same!, is_late: false }]);
});

test("a credential of one property sees its day, and none of the other property's", async () => {
  const terms = { kind: "operator", mode: "test", scopes: [...DEFAULT_SCOPES, "admin:*"] } as const;
  const [ofEast] = await service.newAgents([{ ...terms, property_ids: [east.id] }]);
  const arriving = [[eastGuest, false]];
  expect(await lists("", ofEast)).toEqual({ arriving, staying: [], leaving: [] });
  const { days, free_tonight } = await read("", ofEast);
  expect({ days, free_tonight }).toEqual({
    days: [{ date: dateOf(today(EAST)), timezone: EAST, properties: 1 }],
    free_tonight: UNITS - 1,
  });
  const ask = (id: string) => service.api("GET", `${PATH}?property_id=${id}`, { agent: ofEast! });
  (await ask(west.id)).refused("resource_access_denied");
  (await ask("nowhere")).refused("property_not_found");
  const [ofNone] = await service.newAgents([{ ...terms, property_ids: [] }]);
  expect(await read("", ofNone)).toMatchObject({
    ...{ days: [], free_tonight: null, oversold_tonight: 0 },
    ...{ arrivals: { total: 0 }, in_house: { total: 0 }, departures: { total: 0 } },
  });
});

test("without the right to read bookings guests are null, without that to a list its need", async () => {
  const terms = { kind: "operator", mode: "test" } as const;
  const scopes = ["admin:bookings", "admin:refunds"];
  const [blind] = await service.newAgents([{ ...terms, scopes }]);
  const seen = await read("", blind);
  expect(seen.arrivals.items.map(({ guest }) => guest)).toEqual([null, null]);
  expect((await read()).arrivals.items.map(({ guest }) => guest)).not.toContain(null);
  expect(seen.needs).toEqual({
    ...{ authorizations: null, incidents: null, dead_letters: null },
    ...{ refunds_failed: 0, payments_unresolved: null },
  });
  const [other] = await service.newAgents([{ ...terms, scopes: ["admin:holds"] }]);
  (await service.api("GET", PATH, { agent: other! })).refused("forbidden");
});

test("a list has so many items as asked, its exact number, and where the others are", async () => {
  const { data, next_actions } = await answered("?limit=1");
  expect(data.arrivals).toMatchObject({ total: 2, items: [{ state: "confirmed" }] });
  const from = dateOf(today(WEST) - 30);
  const range = `check_in_from=${from}&check_in_to=${dateOf(today(EAST))}`;
  expect(steps(next_actions)).toEqual([`get GET /v1/admin/bookings?state=confirmed&${range}`]);
  (await service.api("GET", next_actions[0]!.href, { agent: operator })).ok();
  expect((await answered("?limit=2")).next_actions).toEqual([]);
  for (const limit of ["0", "501", "x", "1.5"]) {
    const answer = await service.api("GET", `${PATH}?limit=${limit}`, { agent: operator });
    expect(answer.faults()).toEqual(["?limit"]);
  }
});

test("a checked-in guest is in the house, leaves on the last day, and is late after it", async () => {
  await atDesk(eastGuest, "check-in");
  const at = `?property_id=${east.id}`;
  const there = await lists(at);
  expect(there).toEqual({ arriving: [], staying: [[eastGuest, undefined]], leaving: [] });
  await nextDay();
  expect(await lists(at)).toMatchObject({ staying: [], leaving: [[eastGuest, false]] });
  await nextDay();
  expect(await lists(at)).toMatchObject({ staying: [], leaving: [[eastGuest, true]] });
  await atDesk(eastGuest, "complete");
  expect(await lists(at)).toMatchObject({ staying: [], leaving: [] });
});

test("a guest who has not come is late until the stay has ended", async () => {
  const arriving = async () => {
    const ids = (await read(`?property_id=${west.id}`)).arrivals.items;
    return ids.filter(({ booking_id }) => booking_id === westGuest).map(({ is_late }) => is_late);
  };
  expect(await arriving()).toEqual([true]);
  await nextDay();
  expect(await arriving()).toEqual([]);
});

test("what waits for an operator is counted at its property until it is done", async () => {
  const needs = async (hotel: Hotel) => (await read(`?property_id=${hotel.id}`)).needs;
  const none = {
    ...{ authorizations: 0, incidents: 0, dead_letters: 0 },
    ...{ refunds_failed: 0, payments_unresolved: 0 },
  };
  expect(await needs(west)).toEqual(none);
  const limits = { ...NO_LIMITS, max_booking_amount: { amount: 1, currency: "EUR" } };
  const [careful] = await service.newAgents([{ mode: "test", limits }]);
  const stay = stayAt(west, today(WEST) + 9, 1);
  const hold = await newHold(service, stay, { agent: careful! });
  const headers = {
    ...{ "idempotency-key": newKey(), "x-delegated-user": await service.mintDelegation() },
  };
  const asking = { agent: careful!, headers, body: bookingBody(hold) };
  (await service.api("POST", "/v1/bookings", asking)).refused("authorization_required");
  const gone = await book(west, today(WEST) + 20, 1, "tok_test_refund_fails");
  await atDesk(gone, "cancel", { reason: "The roof leaks.", waive_fee: true });
  const endpoint = { url: "https://receiver.invalid/", events: ["hold.released"] };
  const hook = await service.api("POST", "/v1/admin/webhooks", { agent: operator, body: endpoint });
  const { endpoint_id } = hook.ok<{ readonly endpoint_id: string }>(201).data;
  givenDelivery(service, { endpoint_id, mode: "test", property_id: west.id });
  await book(west, today(WEST), 1);
  const night = { from: dateOf(today(WEST)), to: dateOf(today(WEST)), capacity: 0 };
  const cut = await service.api("PUT", `/v1/admin/properties/${west.id}/ari`, {
    agent: operator,
    body: { inventory: [{ room_type_id: west.rooms[0]!.id, ...night }] },
  });
  const { incident_ids } = cut.ok<{ readonly incident_ids: readonly string[] }>().data;

  const { data, next_actions } = await answered(`?property_id=${west.id}`);
  const one = { authorizations: 1, incidents: 1, dead_letters: 1, refunds_failed: 1 };
  expect(data.needs).toEqual({ ...none, ...one });
  expect(data).toMatchObject({ free_tonight: 0, oversold_tonight: 1 });
  expect(await needs(east)).toEqual(none);
  expect(next_actions).toHaveLength(4);
  for (const { href } of next_actions) {
    const list = (await service.api("GET", href, { agent: operator })).ok<List>().data;
    expect({ href, count: list.items.length }).toEqual({ href, count: 1 });
  }
  await post(`/v1/admin/oversell-incidents/${incident_ids[0]}/acknowledge`);
  expect(await needs(west)).toEqual({ ...none, ...one, incidents: 0 });
  // A request expires after a day.
  await nextDay();
  expect(await needs(west)).toEqual({ ...none, ...one, incidents: 0, authorizations: 0 });
});
