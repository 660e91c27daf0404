/**
 * Goal: an operator works off oversold nights by the next actions alone, and bookings, audit,
 * events and availability agree about it. Method: a small hotel whose rooms go out of order.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NextAction } from "../../src/actions/next-action.ts";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  dateIn,
  newBooking,
  newKey,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const agent = service.demo.admin;
const PATH = "/v1/admin/oversell-incidents";

interface Incident {
  readonly incident_id: string;
  readonly state: string;
  readonly oversold_nights: number;
  readonly affected_bookings: readonly string[];
  readonly candidates: readonly {
    readonly booking_id: string;
    readonly reasons: readonly string[];
    readonly alternative: { readonly room_type_id: string; readonly difference: number } | null;
  }[];
  readonly actions: readonly { readonly action: string; readonly booking_id: string | null }[];
  readonly resolution: { readonly reason: string; readonly note: string | null } | null;
  readonly refund?: { readonly refund_id: string; readonly amount: number };
}

type Hotel = Awaited<ReturnType<typeof createHotel>>;

const stayOn = (day: number, nights = 2) => ({
  check_in: dateIn(day),
  check_out: dateIn(day + nights),
});

const booked = (hotel: Hotel, day: number, nights = 2) =>
  newBooking(service, { ...stayRequest(hotel), stay: stayOn(day, nights) });

/** Sets the capacity of the hotel's first room type. */
function units({ id, rooms: [room] }: Hotel, day: number, nights: number, capacity: number) {
  const range = { from: dateIn(day), to: dateIn(day + nights - 1), capacity };
  const body = { inventory: [{ room_type_id: room!.id, ...range }] };
  return service.api("PUT", `/v1/admin/properties/${id}/ari`, { agent, body });
}

const call = (path: string, body: object): Promise<Answer> =>
  service.api("POST", path, { agent, headers: { "idempotency-key": newKey() }, body });

const read = async (id: string) =>
  (await service.api("GET", `${PATH}/${id}`, { agent })).ok<Incident>();

/** A hotel with two doubles and a suite, of which one guest's double is taken away. */
async function flooded(day: number) {
  const hotel = await createHotel(service, { units: [2, 1], rate: 10_000 });
  const [first, second] = [await booked(hotel, day), await booked(hotel, day)];
  const cut = (await units(hotel, day, 2, 1)).ok<{ readonly incident_ids: readonly string[] }>();
  const [incidentId] = cut.data.incident_ids;
  return { hotel, first, second, cut, incidentId: incidentId! };
}

/** Takes a rate plan out of a hotel. */
async function withoutPlan({ id }: Hotel, planId: string): Promise<void> {
  interface Tree {
    readonly room_types: readonly { readonly rate_plans: readonly { readonly id: string }[] }[];
  }
  const path = `/v1/admin/properties/${id}`;
  const { room_types } = (await service.api("GET", path, { agent })).ok<Tree>().data;
  const left = room_types.map(({ rate_plans, ...room }) => {
    return { ...room, rate_plans: rate_plans.filter((plan) => plan.id !== planId) };
  });
  (await service.api("PATCH", path, { agent, body: { room_types: left } })).ok();
}

function offer(actions: readonly NextAction[], action: string): NextAction {
  const found = actions.find(({ body_hint }) => body_hint?.action === action);
  if (!found) throw new Error(`no ${action} among ${steps(actions)}`);
  return found;
}

test("a cut leads to its incident, its best candidate to the suite, and that ends it", async () => {
  const { hotel, first, second, cut, incidentId } = await flooded(30);
  expect(cut.data).toMatchObject({ incidents: 1, oversold_nights: 2 });
  const [open] = cut.next_actions;
  expect(steps([open!])).toEqual([`get GET ${PATH}/${incidentId}`]);
  const shown = (await follow(service, open!, agent)).ok<Incident>();
  expect(shown.data).toMatchObject({ state: "open", oversold_nights: 2, resolution: null });
  expect(new Set(shown.data.affected_bookings)).toEqual(
    new Set([first.booking_id, second.booking_id]),
  );
  const [best] = shown.data.candidates;
  expect(best).toMatchObject({
    booking_id: second.booking_id,
    reasons: ["fewest_nights", "latest_booked", "free_cancellation", "room_available"],
    alternative: { room_type_id: hotel.rooms[1]!.id },
  });
  expect(steps([shown.next_actions[0]!])).toEqual([
    `confirm POST ${PATH}/${incidentId}/acknowledge`,
  ]);
  expect((await follow(service, shown.next_actions[0]!, agent)).ok<Incident>().data.state).toBe(
    "acknowledged",
  );
  const moved = await follow(service, offer(shown.next_actions, "relocate"), agent);
  const { data, next_actions } = moved.ok<Incident>();
  expect(data).toMatchObject({ state: "resolved", oversold_nights: 0, action: "relocate" });
  const booking = (await follow(service, next_actions[1]!, agent)).ok<Booking>().data;
  expect(booking).toMatchObject({ room_type_id: hotel.rooms[1]!.id, version: 2 });
  const after = (await read(incidentId)).data;
  expect(after.resolution).toMatchObject({ reason: "relocate", by: { kind: "operator" } });
  expect(after.actions).toMatchObject([{ action: "relocate", booking_id: second.booking_id }]);
});

test("audit and events tell who moved the guest, and what ended the incident", async () => {
  const { incidentId, second } = await flooded(40);
  const { next_actions } = await read(incidentId);
  (await follow(service, offer(next_actions, "relocate"), agent)).ok();
  const audit = await service.api("GET", `/v1/bookings/${second.booking_id}/audit`, { agent });
  const { events } = audit.ok<{ events: { type: string; actor: object }[] }>().data;
  expect(events.slice(-2)).toMatchObject([
    { type: "booking.modified", actor: { kind: "operator" } },
    { type: "inventory.oversell_action_taken", data: { incident_id: incidentId } },
  ]);
  const about = `subject=incident:${incidentId}`;
  const told = await service.api("GET", `/v1/admin/events?${about}`, { agent });
  const { items } = told.ok<{ items: { type: string; data: object }[] }>().data;
  expect(items.map(({ type }) => type)).toEqual([
    "inventory.oversell_detected",
    "inventory.oversell_action_taken",
    "inventory.oversell_resolved",
  ]);
  expect(items[2]!.data).toMatchObject({ state: "resolved", reason: "relocate" });
});

test("a repeated move has the stored answer, also when its room has that rate plan no more", async () => {
  const { hotel, incidentId, second } = await flooded(55);
  const [, suite] = hotel.rooms;
  const [flexible, fixed] = suite!.planIds;
  const path = `${PATH}/${incidentId}/resolve`;
  const to = { room_type_id: suite!.id, rate_plan_id: flexible };
  const body = { action: "relocate", booking_id: second.booking_id, to };
  const options = { agent, headers: { "idempotency-key": newKey() }, body };
  const first = await service.api("POST", path, options);
  expect(first.ok<Incident>().data.state).toBe("resolved");
  const change = { rate_plan_id: fixed, difference: "waive" };
  const booking = `/v1/bookings/${second.booking_id}`;
  (await service.api("PATCH", booking, { agent, body: change })).ok();
  await withoutPlan(hotel, flexible!);
  const again = await service.api("POST", path, options);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("the guest gets a mail with the new room", async () => {
  const { incidentId, second } = await flooded(120);
  const { next_actions } = await read(incidentId);
  (await follow(service, offer(next_actions, "relocate"), agent)).ok();
  const folder = join(service.dataDir, "outbox");
  const mails = () => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.includes(`-modification.${second.booking_id}.2.eml`));
  };
  await until("the mail is written", async () => mails().length === 1);
  const text = readFileSync(join(folder, mails()[0]!), "utf8");
  expect(text).toContain("Subject: Booking changed: ");
});

test("a guest without another room is sent home with all of the money", async () => {
  const { incidentId } = await flooded(50);
  const { next_actions } = await read(incidentId);
  const done = (
    await follow(service, offer(next_actions, "cancel_with_refund"), agent)
  ).ok<Incident>();
  expect(done.data).toMatchObject({ state: "resolved", refund: { amount: 20_000 } });
  const refund = done.next_actions.find(({ rel }) => rel === "get_refund")!;
  expect((await follow(service, refund, agent)).ok().data).toMatchObject({ amount: 20_000 });
});

test("rooms that are back end it, and an upgrade may come with goodwill", async () => {
  const restored = await flooded(60);
  const restore = offer((await read(restored.incidentId)).next_actions, "restore_capacity");
  expect((await follow(service, restore, agent)).ok<Incident>().data.state).toBe("resolved");
  const { hotel, incidentId, second } = await flooded(60);
  const [, suite] = hotel.rooms;
  const to = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  const body = { action: "upgrade", booking_id: second.booking_id, to, compensation: 1_500 };
  const done = (await call(`${PATH}/${incidentId}/resolve`, body)).ok<Incident>();
  expect(done.data).toMatchObject({ state: "resolved", refund: { amount: 1_500 } });
});

test("an accepted night stays oversold, with its reason, until somebody scans it", async () => {
  const { hotel, incidentId } = await flooded(70);
  const accept = { action: "accept", note: "the owner's flat is free" };
  const done = (await call(`${PATH}/${incidentId}/resolve`, accept)).ok<Incident>();
  expect(done.data).toMatchObject({ state: "dismissed", oversold_nights: 2 });
  expect((await read(incidentId)).data.resolution).toMatchObject({
    reason: "accept",
    note: "the owner's flat is free",
  });
  const at = { property_id: hotel.id, room_type_id: hotel.rooms[0]!.id, date: dateIn(71) };
  const scanned = await call(PATH, at);
  expect(scanned.status).toBe(201);
  const again = await call(PATH, at);
  expect(again.status).toBe(200);
  const id = (answer: Answer) => answer.ok<Incident>(answer.status).data.incident_id;
  expect(id(again)).toBe(id(scanned));
  const free = (await call(PATH, { ...at, date: dateIn(75) })).refused("oversell_not_detected");
  expect(free.detail).toMatchObject({ capacity: 2, sold: 0, held: 0 });
  expect(steps(free.next_actions)).toEqual([`get GET ${PATH}`]);
});

test("a guest whose booking is cancelled ends it", async () => {
  const { incidentId, second } = await flooded(80);
  const path = `/v1/admin/bookings/${second.booking_id}/cancel`;
  (await call(path, { reason: "the guest asked for it" })).ok();
  expect((await read(incidentId)).data.resolution).toMatchObject({ reason: "cancellation" });
});

test("each wrong member is named, and what cannot be done is refused", async () => {
  const { hotel, incidentId, second } = await flooded(90);
  const path = `${PATH}/${incidentId}/resolve`;
  const faults = async (body: object) => {
    const { detail } = (await call(path, body)).refused("validation_failed");
    return (detail.field_errors ?? []).map((each) => each.path);
  };
  expect(await faults({ action: "relocate", note: "x" })).toEqual(["/booking_id", "/to", "/note"]);
  expect(await faults({ action: "move" })).toEqual(["/action"]);
  const [double] = hotel.rooms;
  const same = { room_type_id: double!.id, rate_plan_id: double!.planIds[0]! };
  const relocate = { action: "relocate", booking_id: second.booking_id };
  expect(await faults({ ...relocate, to: same })).toEqual(["/to/room_type_id"]);
  const range = { room_type_id: double!.id, from: dateIn(91), to: dateIn(90), capacity: 2 };
  expect(await faults({ action: "restore_capacity", ari: { inventory: [range] } })).toEqual([
    "/ari/inventory/0/to",
  ]);
  const rate = { rate_plan_id: double!.planIds[0]!, from: dateIn(90), to: dateIn(90), amount: 1 };
  const priced = { inventory: [{ ...range, to: dateIn(91) }], rates: [rate], restrictions: [] };
  expect(await faults({ action: "restore_capacity", ari: priced })).toEqual([
    ...["/ari/rates", "/ari/restrictions"],
  ]);
  const nowhere = { room_type_id: "nowhere", rate_plan_id: "x" };
  (await call(path, { ...relocate, to: nowhere })).refused("room_type_not_found");
  const other = await booked(hotel, 100);
  const unaffected = { action: "cancel_with_refund", booking_id: other.booking_id };
  const refused = (await call(path, unaffected)).refused("conflict");
  expect(refused.detail).toMatchObject({ reason: "booking_not_affected" });
  const unknown = (await call(`${PATH}/osi_x/acknowledge`, {})).refused(
    "oversell_incident_not_found",
  );
  expect(steps(unknown.next_actions)).toEqual([`get GET ${PATH}`]);
  (await call(`${PATH}/${incidentId}/resolve`, { action: "accept" })).ok();
  const ended = (await call(`${PATH}/${incidentId}/acknowledge`, {})).refused("conflict");
  expect(ended.detail).toMatchObject({ reason: "incident_state", state: "dismissed" });
});

test("a move that is refused changes nothing, and leads back to the incident", async () => {
  const { hotel, incidentId, second } = await flooded(120);
  const [double, suite] = hotel.rooms;
  const to = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  const move = { action: "relocate", booking_id: second.booking_id, to };
  const send = (body: object) => call(`${PATH}/${incidentId}/resolve`, body);
  const incident = `get GET ${PATH}/${incidentId}`;
  const booking = `get GET /v1/bookings/${second.booking_id}`;
  const tooMuch = (await send({ ...move, compensation: 20_001 })).refused(
    "refund_exceeds_remaining",
  );
  expect(tooMuch.detail).toMatchObject({ requested: 20_001, remaining: 20_000 });
  expect(steps(tooMuch.next_actions)).toEqual([incident, booking]);
  const path = `/v1/admin/properties/${hotel.id}/suspend`;
  (await service.api("POST", path, { agent })).ok();
  const shut = (await send(move)).refused("allocation_failed");
  expect(steps(shut.next_actions)).toEqual([incident, booking]);
  const unknown = (await send({ ...move, booking_id: "bkg_x" })).refused("booking_not_found");
  expect(steps(unknown.next_actions)).toEqual([incident]);
  const kept = (await follow(service, shut.next_actions[1]!, agent)).ok<Booking>().data;
  expect(kept).toMatchObject({ room_type_id: double!.id, version: 1, state: "confirmed" });
  const { data, next_actions } = await read(incidentId);
  expect(data.state).toBe("open");
  const rooms = (
    await follow(service, offer(next_actions, "restore_capacity"), agent)
  ).ok<Incident>();
  expect(rooms.data.state).toBe("resolved");
});

test("a move that was refused for want of a room is offered anew once there is one", async () => {
  const { hotel, incidentId } = await flooded(130);
  const [, suite] = hotel.rooms;
  const first = offer((await read(incidentId)).next_actions, "relocate");
  const [room_type_id, rate_plan_id] = [suite!.id, suite!.planIds[0]!];
  const inSuite = { ...stayRequest(hotel), room_type_id, rate_plan_id, stay: stayOn(130) };
  const other = await newBooking(service, inSuite);
  (await follow(service, first, agent)).refused("allocation_failed");
  const shut = await read(incidentId);
  expect(shut.data.candidates.map(({ alternative }) => alternative)).toEqual([null, null]);
  (await call(`/v1/admin/bookings/${other.booking_id}/cancel`, { reason: "the guest asked" })).ok();
  const again = offer((await read(incidentId)).next_actions, "relocate");
  expect((await follow(service, again, agent)).ok<Incident>().data.state).toBe("resolved");
});

test("of 50 moves, cancellations and updates at once each guest is moved or cancelled once", async () => {
  const { hotel, first, second, incidentId } = await flooded(140);
  const [, suite] = hotel.rooms;
  const path = `${PATH}/${incidentId}/resolve`;
  const to = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  const guest = { booking_id: second.booking_id };
  const ways: readonly (() => Promise<Answer>)[] = [
    () => call(path, { action: "relocate", ...guest, to, compensation: 700 }),
    () => call(path, { action: "cancel_with_refund", ...guest }),
    () => call(`/v1/admin/bookings/${second.booking_id}/cancel`, { reason: "the guest asked" }),
    () => units(hotel, 140, 2, 2),
    () => call(path, { action: "accept" }),
  ];
  const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => ways[nth % 5]!()));
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses.isSubsetOf(new Set([200, 409]))).toBe(true);
  const { data } = await read(incidentId);
  expect(["resolved", "dismissed"]).toContain(data.state);
  const refunds = `/v1/admin/bookings/${second.booking_id}/refunds`;
  const { items } = (await service.api("GET", refunds, { agent })).ok<{
    items: { readonly amount: number }[];
  }>().data;
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  expect(total).toBeLessThanOrEqual(20_000);
  const state = async (id: string) =>
    (await service.api("GET", `/v1/bookings/${id}`, { agent })).ok<Booking>().data;
  const moved = await state(second.booking_id);
  const isInSuite = Reflect.get(moved, "room_type_id") === suite!.id;
  expect(data.actions.filter(({ action }) => action === "relocate")).toHaveLength(
    isInSuite ? 1 : 0,
  );
  expect((await state(first.booking_id)).state).toBe("confirmed");
});

test("guests who are in the house are not offered to be moved, and cannot be", async () => {
  const timezone = "Pacific/Kiritimati";
  const [today, tomorrow] = [0, 1].map((days) => dateIn(days, Date.now() + 14 * 3_600_000));
  const terms = { units: [1, 1], timezone, checkinTime: "00:00" };
  const hotel = await createHotel(service, terms);
  const stay = { check_in: today!, check_out: tomorrow! };
  const { booking_id } = await newBooking(service, { ...stayRequest(hotel), stay });
  (await call(`/v1/admin/bookings/${booking_id}/check-in`, {})).ok();
  const [double, suite] = hotel.rooms;
  const range = { from: today, to: today, out_of_order: 1 };
  const body = { inventory: [{ room_type_id: double!.id, ...range }] };
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  const cut = await service.api("PUT", path, { agent, body });
  const [id] = cut.ok<{ readonly incident_ids: readonly string[] }>().data.incident_ids;
  const { data, next_actions } = await read(id!);
  expect(data).toMatchObject({ affected_bookings: [booking_id], candidates: [] });
  expect(next_actions.map(({ body_hint }) => body_hint?.action)).toEqual([
    ...[undefined, "restore_capacity", "accept"],
  ]);
  const resolve = (way: object) => call(`${PATH}/${id}/resolve`, { booking_id, ...way });
  const to = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  (await resolve({ action: "relocate", to })).refused("booking_not_modifiable");
  (await resolve({ action: "cancel_with_refund" })).refused("booking_not_cancellable");
  (await call(`/v1/admin/bookings/${booking_id}/complete`, {})).ok();
  expect((await read(id!)).data.resolution).toMatchObject({ reason: "departure" });
});

test("the list has each incident once, by state and property, also as a table", async () => {
  const { hotel, incidentId } = await flooded(110);
  const list = async (query: string) => {
    const answer = await service.api("GET", `${PATH}?${query}`, { agent });
    return answer.ok<{ items: Incident[] }>().data.items.map(({ incident_id }) => incident_id);
  };
  expect(await list(`state=open&property_id=${hotel.slug}`)).toEqual([incidentId]);
  expect(await list(`state=resolved&property_id=${hotel.id}`)).toEqual([]);
  expect(await list("state=open")).toContain(incidentId);
  const table = await service.api("GET", `${PATH}?property_id=${hotel.id}&format=csv`, { agent });
  expect(table.text.split("\n")[0]).toContain("incident_id");
});
