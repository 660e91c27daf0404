/**
 * Goal: a property changes a booking by API alone, and audit, events, receipts, desk and
 * availability agree about it. Method: real bookings of a small hotel with a dear night.
 */
import { expect, test } from "bun:test";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  dateIn,
  newBooking,
  newKey,
  newQuote,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const hotel = await createHotel(service, { units: [2, 1], rate: 10_000 });
const agent = service.demo.admin;
const [room, suite] = hotel.rooms;

const stayOn = (day: number, nights = 2) => ({
  check_in: dateIn(day),
  check_out: dateIn(day + nights),
});

interface Changed {
  readonly version: number;
  readonly stay: { readonly check_in: string };
  readonly price_breakdown: { readonly total: number; readonly adjustment?: number };
  readonly difference: { readonly kind: string; readonly amount: number } | null;
  readonly refund: { readonly amount: number; readonly state?: string } | null;
}

function change(id: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const keyed = { "idempotency-key": newKey(), ...headers };
  return service.api("PATCH", `/v1/bookings/${id}`, { agent, headers: keyed, body });
}

const booked = (day: number, nights = 2) =>
  newBooking(service, { ...stayRequest(hotel), stay: stayOn(day, nights) });

const read = async (id: string) =>
  (await service.api("GET", `/v1/bookings/${id}`)).ok<
    Booking & {
      readonly stay: object;
      readonly history: readonly { readonly type: string }[];
      readonly receipts: readonly {
        readonly kind: string;
        readonly payload_hash: string;
        readonly subject: Readonly<Record<string, unknown>>;
      }[];
      readonly guest: { readonly primary: { readonly full_name: string } };
    }
  >();

async function leftOn(day: number): Promise<number> {
  const quote = await newQuote(service, { ...stayRequest(hotel), stay: stayOn(day, 1) });
  return quote.availability.sellable;
}

test("a stay moves to other nights of the same price, with a receipt that names the former", async () => {
  const { booking_id: id } = await booked(30);
  const preview = await service.api("POST", `/v1/bookings/${id}/modification-quote`, {
    ...{ agent, body: { stay: stayOn(31) } },
  });
  const shown = preview.ok<Changed>();
  expect(shown.data).toMatchObject({ version: 1, difference: null, refund: { amount: 0 } });
  expect(steps(shown.next_actions)[0]).toBe(`confirm PATCH /v1/bookings/${id}`);
  const done = await follow(service, shown.next_actions[0]!, agent);
  const { data, receipt } = done.ok<Changed>();
  expect(data).toMatchObject({ version: 2, stay: stayOn(31), difference: null, refund: null });
  expect([await leftOn(30), await leftOn(31), await leftOn(32)]).toEqual([2, 1, 1]);
  const { data: booking } = await read(id);
  expect(booking.stay).toEqual(stayOn(31));
  expect(booking.history.map(({ type }) => type)).toEqual([
    "booking.confirmed",
    "booking.modified",
  ]);
  const [first, second] = booking.receipts;
  expect(second!.subject).toMatchObject({ version: 2, supersedes: first!.payload_hash });
  expect(second!.payload_hash).toBe(receipt!.payload_hash);
  const verified = await service.api("POST", "/v1/receipts/verify", { body: second });
  expect(verified.ok().data).toMatchObject({ valid: true });
});

test("former events stay as they were: each has the stay of its own time", async () => {
  const { booking_id: id } = await booked(50);
  const eventsOf = async () => {
    const answer = await service.api("GET", "/v1/admin/events?limit=1000", { agent });
    const { items } = answer.ok<{ items: { subject: { id: string } }[] }>().data;
    return items.filter(({ subject }) => subject.id === id);
  };
  const before = await eventsOf();
  for (const day of [51, 54, 57]) (await change(id, { stay: stayOn(day) })).ok();
  const after = await eventsOf();
  expect(after.slice(0, before.length)).toEqual(before);
  const stays = after.map((event) => {
    const { data, subject } = event as unknown as {
      readonly data: { readonly stay: { readonly check_in: string } };
      readonly subject: { readonly version: number };
    };
    return [subject.version, data.stay.check_in];
  });
  const days = [50, 51, 54, 57];
  expect(stays).toEqual(days.map((day, nth) => [nth + 1, dateIn(day)]));
});

test("another price is refused with each way on, and followed it is charged as said", async () => {
  const range = { rate_plan_id: room!.planIds[0]!, from: dateIn(70), to: dateIn(80) };
  const rates = { agent, body: { rates: [{ ...range, amount: 7_000 }] } };
  (await service.api("PUT", `/v1/admin/properties/${hotel.id}/ari`, rates)).ok();
  const cheaper = await booked(60);
  const refused = (await change(cheaper.booking_id, { stay: stayOn(70) })).refused(
    "booking_modification_price_change",
  );
  expect(refused.detail).toMatchObject({ reason: "total_changed", difference: -6_000 });
  const offers = refused.next_actions.filter(({ rel }) => rel === "confirm");
  expect(offers.map(({ body_hint }) => body_hint!.difference)).toEqual(["refund", "waive"]);
  const { data } = (await follow(service, offers[0]!, agent)).ok<Changed>();
  expect(data.difference).toMatchObject({ kind: "refund", amount: -6_000 });
  expect(data.refund).toMatchObject({ amount: 6_000, state: "succeeded" });
  expect(data.price_breakdown.total).toBe(14_000);
  const end = (await sendCancel(service, cheaper.booking_id)).ok().data;
  expect(end).toMatchObject({ refund: { amount: 14_000 } });

  const dearer = await booked(72);
  const waived = await change(dearer.booking_id, { stay: stayOn(62), difference: "waive" });
  const kept = waived.ok<Changed>().data;
  expect(kept.price_breakdown).toMatchObject({ total: 14_000, adjustment: -6_000 });
  const later = await change(dearer.booking_id, { stay: stayOn(63, 3), difference: "at_property" });
  expect(later.ok().data).toMatchObject({
    price_breakdown: { total: 30_000, due_now: 14_000, due_at_property: 16_000 },
  });
});

test("room, plan and party change too; a taken room is refused with alternatives", async () => {
  const { booking_id: id } = await booked(90);
  const body = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  (await change(id, body)).ok();
  const other = await booked(90);
  const taken = (await change(other.booking_id, body)).refused("allocation_failed");
  expect(taken.detail).toMatchObject({ reason: "no_units", booking_id: other.booking_id });
  const found = await service.api("GET", `/v1/admin/bookings?arrivals=${dateIn(90)}`, { agent });
  expect(found.ok<{ items: object[] }>().data.items).toHaveLength(2);
});

test("a change that finds no room is offered with each alternative, never a second booking", async () => {
  const { booking_id: id } = await booked(130);
  await newBooking(service, { ...stayRequest(hotel, { room: 1 }), stay: stayOn(130) });
  const body = { room_type_id: suite!.id, rate_plan_id: suite!.planIds[0]! };
  const refused = (await change(id, body)).refused("allocation_failed");
  const path = `/v1/bookings/${id}`;
  const offers = refused.next_actions.filter(({ rel }) => rel === "confirm");
  expect(new Set(steps(offers))).toEqual(new Set([`confirm PATCH ${path}`]));
  expect(refused.next_actions.map(({ href }) => href)).not.toContain("/v1/quotes");
  const { data } = (await follow(service, offers[0]!, agent)).ok<Changed>();
  expect(data).toMatchObject({ version: 2, stay: offers[0]!.body_hint!.stay });
});

test("a booking whose terms allow no change is offered the change by the property", async () => {
  const body = { ...stayRequest(hotel, { plan: 1 }), stay: stayOn(170) };
  const { booking_id: id } = await newBooking(service, body);
  const refused = (await change(id, { stay: stayOn(171) })).refused("booking_not_modifiable");
  expect(refused.detail).toMatchObject({ reason: "non_refundable", difference: 0 });
  const [confirm, get] = refused.next_actions;
  expect(confirm!.body_hint).toMatchObject({ difference: "waive" });
  expect(get!.rel).toBe("get");
  expect((await follow(service, confirm!, agent)).ok().data).toMatchObject({ version: 2 });
});

test("a stay that was extended at the property's charge can be shortened again", async () => {
  const { booking_id: id } = await booked(140);
  (await change(id, { stay: stayOn(140, 3), difference: "at_property" })).ok();
  const refused = (await change(id, { stay: stayOn(140, 2) })).refused(
    "booking_modification_price_change",
  );
  const { data } = (await follow(service, refused.next_actions[0]!, agent)).ok<Changed>();
  expect(data.price_breakdown).toMatchObject({ total: 20_000, due_now: 20_000 });
  expect(data).toMatchObject({ difference: { kind: "refund", amount: -10_000 }, refund: null });
});

test("a change whose refund was given before is offered without it", async () => {
  const { booking_id: id } = await booked(150);
  const refund = { agent, body: { amount: 15_000, reason: "goodwill" } };
  (await service.api("POST", `/v1/admin/bookings/${id}/refunds`, refund)).ok(201);
  const shorter = { stay: stayOn(150, 1), difference: "refund" };
  const refused = (await change(id, shorter)).refused("refund_exceeds_remaining");
  expect(refused.detail).toMatchObject({ requested: 10_000, remaining: 5_000, asked: "refund" });
  expect(steps(refused.next_actions)).toEqual([`confirm PATCH /v1/bookings/${id}`]);
  const { data } = (await follow(service, refused.next_actions[0]!, agent)).ok<Changed>();
  expect(data).toMatchObject({ difference: { kind: "waive" }, refund: null });
});

test("a repeated change gets its answer even when it is impossible by now", async () => {
  const { booking_id: id } = await booked(160);
  const [plan] = suite!.planIds.slice(1);
  const body = { room_type_id: suite!.id, rate_plan_id: plan, difference: "waive" };
  const key = { "idempotency-key": newKey() };
  const first = await change(id, body, key);
  expect(first.ok().data).toMatchObject({ version: 2 });
  const [flexible] = room!.planIds;
  (await change(id, { room_type_id: room!.id, rate_plan_id: flexible, difference: "waive" })).ok();
  const path = `/v1/admin/properties/${hotel.id}`;
  const { data } = (await service.api("GET", path, { agent })).ok<{
    readonly room_types: readonly { readonly rate_plans: readonly { readonly id: string }[] }[];
  }>();
  const room_types = data.room_types.map((each) => {
    return { ...each, rate_plans: each.rate_plans.filter(({ id: planId }) => planId !== plan) };
  });
  (await service.api("PATCH", path, { agent, body: { room_types } })).ok();
  expect((await change(id, body, key)).text).toBe(first.text);
  (await change(id, { stay: stayOn(-5) }, key)).refused("idempotency_conflict");
  (await change(id, body)).refused("rate_plan_not_found");
  const fresh = { "idempotency-key": newKey() };
  (await change(id, { stay: stayOn(-5) }, fresh)).refused("validation_failed");
  (await change(id, { stay: stayOn(161) }, fresh)).ok();
});

test("the guest's new data is encrypted, is found by search and is in no event", async () => {
  const { booking_id: id } = await booked(100);
  const primary = { full_name: "Augusta King", email: "augusta@example.com" };
  const changed = (await change(id, { guest: { primary }, special_requests: "A cot" })).ok();
  expect(changed.data).toMatchObject({ version: 2, guest_changed: true });
  expect(changed.receipt).toBeUndefined();
  expect((await read(id)).data).toMatchObject({ guest: { primary }, special_requests: "A cot" });
  const find = async (guest: string) => {
    const answer = await service.api("GET", `/v1/admin/bookings?guest=${guest}`, { agent });
    return answer
      .ok<{ items: { booking_id: string }[] }>()
      .data.items.map((each) => each.booking_id);
  };
  expect(await find("augusta%40example.com")).toEqual([id]);
  expect(await find("ada%40example.com")).not.toContain(id);
  const audit = await service.api("GET", `/v1/bookings/${id}/audit`, { agent });
  expect(audit.ok()).toBeDefined();
  expect(audit.text).not.toContain("Augusta");
  const again = await change(id, { guest: { primary } });
  expect(again.ok().data).toMatchObject({ version: 2, guest_changed: false, seq: null });
});

test("of changes from one version one is made; the others learn the present one", async () => {
  const { booking_id: id } = await booked(110);
  const seen = { "if-match": '"1"' };
  const answers = await Promise.all(
    [111, 112, 113, 114].map((day) => change(id, { stay: stayOn(day) }, seen)),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    const detail = { reason: "version_mismatch", version: 2 };
    expect(answer.refused("conflict").detail).toMatchObject(detail);
  }
  const { data } = await read(id);
  expect(data.stay).toEqual(done[0]!.ok<Changed>().data.stay);
});

test("agents do not change bookings, nor operators those of other properties", async () => {
  const { booking_id: id } = await booked(120);
  const body = { stay: stayOn(121) };
  const path = `/v1/bookings/${id}`;
  (await service.api("PATCH", path, { body })).refused("principal_kind_not_allowed");
  const another = await createHotel(service);
  const terms = { kind: "operator", scopes: ["admin:*"], property_ids: [another.id] } as const;
  const [limited] = await service.newAgents([terms]);
  (await service.api("PATCH", path, { agent: limited!, body })).refused("resource_access_denied");
});
