/**
 * Goal: an integrator tests a month of a booking in seconds. Live mode is not affected. Method: a
 * real service and its demo agents.
 */
import { expect, test } from "bun:test";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { steps } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  type Hold,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile();
const { agent: liveAgent, admin, test_agent: agent, test_admin: operator } = service.demo;
const hotel = await createHotel(service, { operator, units: [5], rate: 10_000 });
const CLOCK = "/v1/admin/test-clock";
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

interface Clock {
  readonly now: string;
  readonly offset_s: number;
}
interface Moved extends Clock {
  readonly expired: number;
}

async function move(body: object): Promise<Moved> {
  const headers = { "idempotency-key": newKey() };
  return (await service.api("POST", CLOCK, { agent: operator, headers, body })).ok<Moved>().data;
}
const advance = (advance_s: number) => move({ advance_s });

async function read<T>(path: string, by: DemoAgent = agent): Promise<T> {
  return (await service.api("GET", path, { agent: by })).ok<T>().data;
}
const stateOf = async (path: string, by = agent) =>
  (await read<{ readonly state: string }>(path, by)).state;

const desk = (id: string, step: string) => {
  const headers = { "idempotency-key": newKey() };
  return service.api("POST", `/v1/admin/bookings/${id}/${step}`, { agent: operator, headers });
};

test("quotes and holds expire by the test clock, in the answer of the move already", async () => {
  const body = stayRequest(hotel, { inDays: 20 });
  const { quote_id } = await newQuote(service, body, { agent });
  const { hold_id } = await newHold(service, body, { agent });
  const before = await read<Clock>(CLOCK, operator);
  const moved = await advance(HOUR_S);
  expect(moved).toMatchObject({ expired: 1, offset_s: before.offset_s + HOUR_S });
  expect(Date.parse(moved.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(1000 * HOUR_S);
  expect(await stateOf(`/v1/holds/${hold_id}`)).toBe("expired");
  (await service.api("GET", `/v1/quotes/${quote_id}`, { agent })).refused("quote_expired");
  (await sendHold(service, quote_id, { agent })).refused("quote_expired");
  expect((await newHold(service, body, { agent })).hold_id).not.toBe(hold_id);
});

test("a month of a booking: its fee rises at the cut-off, and the desk may act on its days", async () => {
  const booking = await newBooking(service, stayRequest(hotel, { inDays: 28 }), { agent });
  const { booking_id } = booking;
  const fee = async () => {
    const path = `/v1/bookings/${booking_id}/cancellation-quote`;
    return (await read<{ readonly fee: { readonly amount: number } }>(path)).fee.amount;
  };
  expect(await fee()).toBe(0);
  (await desk(booking_id, "check-in")).refused("conflict");
  await advance(27 * DAY_S);
  expect(await fee()).toBeGreaterThan(0);
  (await desk(booking_id, "no-show")).refused("conflict");
  await advance(2 * DAY_S);
  const { data } = (await desk(booking_id, "no-show")).ok<{ readonly no_show_at: string }>();
  const { now } = await read<Clock>(CLOCK, operator);
  const agoMs = Date.parse(now) - Date.parse(data.no_show_at);
  expect(agoMs >= 0 && agoMs < 60_000).toBe(true);
  const { items } = await read<{ readonly items: readonly { readonly data: object }[] }>(
    "/v1/admin/events?after_seq=0&kinds=booking.no_show",
    operator,
  );
  expect(items.at(-1)!.data).toMatchObject({ no_show_at: data.no_show_at });
  const past = stayRequest(hotel, { inDays: 10 });
  const refused = await service.api("POST", "/v1/quotes", { agent, body: past });
  refused.refused("validation_failed");
});

/** Noon of so many days from today on, by the test clock alone. */
async function moveToNoon(inDays: number): Promise<void> {
  const { now } = await read<Clock>(CLOCK, operator);
  await advance(Math.ceil((Date.parse(`${dateIn(inDays)}T12:00:00Z`) - Date.parse(now)) / 1000));
}

test("a check-in is undone until midnight by the test clock; then the night was slept", async () => {
  const { booking_id: id } = await newBooking(service, stayRequest(hotel, { inDays: 60 }), {
    agent,
  });
  await moveToNoon(60);
  (await desk(id, "check-in")).ok();
  (await desk(id, "undo-check-in")).ok();
  expect(await stateOf(`/v1/bookings/${id}`)).toBe("confirmed");
  const came = (await desk(id, "check-in")).ok<{ readonly undo_until: string }>();
  await moveToNoon(61);
  const { detail, next_actions } = (await desk(id, "undo-check-in")).refused("conflict");
  const { undo_until: until } = came.data;
  expect(detail).toEqual({ reason: "too_late", booking_id: id, until });
  expect(steps(next_actions)).toEqual([`get GET /v1/bookings/${id}`]);
  const { data } = (await desk(id, "complete")).ok();
  expect(data).toMatchObject({ state: "completed", free_from: dateIn(61) });
});

test("a guest in the house stays longer, then leaves earlier: slept nights keep their rate", async () => {
  const stayed = stayRequest(hotel, { inDays: 80, nights: 3 });
  const { booking_id: id } = await newBooking(service, stayed, { agent });
  const path = `/v1/bookings/${id}`;
  await moveToNoon(80);
  (await desk(id, "check-in")).ok();
  await moveToNoon(81);
  const dearer = {
    rate_plan_id: stayed.rate_plan_id,
    from: dateIn(80),
    to: dateIn(90),
    amount: 12_000,
  };
  const ari = { agent: operator, body: { rates: [dearer] } };
  (await service.api("PUT", `/v1/admin/properties/${hotel.id}/ari`, ari)).ok();
  const until = (day: number, more: object = {}) => {
    const stay = { check_in: dateIn(80), check_out: dateIn(day) };
    return { agent: operator, body: { stay, ...more } };
  };
  const shown = await service.api(
    "POST",
    `${path}/modification-quote`,
    until(84, { difference: "at_property" }),
  );
  const difference = { kind: "at_property", amount: 16_000, currency: "EUR" };
  const preview = shown.ok();
  expect(preview.data).toMatchObject({ difference, price_breakdown: { total: 46_000 } });
  const longer = (await follow(service, preview.next_actions[0]!, operator)).ok();
  expect(longer.data).toMatchObject({ state: "checked_in", version: 3, difference });
  const left = async () => {
    const body = stayRequest(hotel, { inDays: 83, nights: 1 });
    return (await newQuote(service, body, { agent })).availability.sellable;
  };
  expect(await left()).toBe(4);
  const moved = { stay: { check_in: dateIn(81), check_out: dateIn(84) }, guests: { adults: 1 } };
  const arrived = await service.api("PATCH", path, { agent: operator, body: moved });
  const { detail } = arrived.refused("booking_not_modifiable");
  expect(detail).toEqual({
    booking_id: id,
    reason: "in_house",
    fixed: ["/stay/check_in", "/guests"],
  });
  await moveToNoon(82);
  const late = (await service.api("PATCH", path, until(81, { difference: "refund" }))).refused(
    "booking_not_modifiable",
  );
  expect(late.detail).toEqual({ booking_id: id, reason: "check_out_passed", earliest: dateIn(82) });
  const bound = (await service.api("PATCH", path, until(82))).refused("booking_not_modifiable");
  expect(bound.detail).toMatchObject({ reason: "cutoff_passed", difference: -24_000 });
  const earlier = (await follow(service, bound.next_actions[0]!, operator)).ok();
  expect(earlier.data).toMatchObject({
    ...{ state: "checked_in", version: 4, price_breakdown: { total: 22_000, due_now: 22_000 } },
    refund: { amount: 8_000, state: "succeeded" },
  });
  expect(await left()).toBe(5);
  const done = (await desk(id, "complete")).ok().data;
  expect(done).toMatchObject({ state: "completed", free_from: null });
});

test("live mode keeps its time and its holds, and has no test clock", async () => {
  const other = await createHotel(service, { operator: admin, units: [5], rate: 10_000 });
  const body = stayRequest(other, { inDays: 20 });
  const hold: Hold = await newHold(service, body, { agent: liveAgent });
  await advance(DAY_S);
  expect(await stateOf(`/v1/holds/${hold.hold_id}`, liveAgent)).toBe("held");
  (await sendBooking(service, hold, { agent: liveAgent })).ok(201);
  for (const method of ["GET", "POST"]) {
    const call = { agent: admin, ...(method === "POST" && { body: { reset: true } }) };
    const refused = (await service.api(method, CLOCK, call)).refused("forbidden");
    expect(refused.detail).toMatchObject({ reason: "test_mode_only" });
  }
  (await service.api("POST", CLOCK, { agent, body: { reset: true } })).refused(
    "principal_kind_not_allowed",
  );
});

test("a move is one of both, within bounds, and its repetition gets the first answer", async () => {
  const bodies = [{}, { advance_s: 1, reset: true }, { advance_s: 0 }, { advance_s: 1.5 }];
  for (const body of [...bodies, { advance_s: 31_536_001 }, { reset: false }, { hours: 1 }]) {
    const answer = await service.api("POST", CLOCK, { agent: operator, body });
    answer.refused("validation_failed");
  }
  const headers = { "idempotency-key": newKey() };
  const ask = () => {
    return service.api("POST", CLOCK, { agent: operator, headers, body: { advance_s: 60 } });
  };
  const first = (await ask()).ok<Moved>().data;
  expect((await ask()).ok<Moved>().data).toEqual(first);
  expect((await read<Clock>(CLOCK, operator)).offset_s).toBe(first.offset_s);
});

test("the clock outlives a restart, and a reset brings back real time", async () => {
  const body = stayRequest(hotel, { inDays: 90 });
  await advance(DAY_S);
  const { hold_id } = await newHold(service, body, { agent });
  const { quote_id } = await newQuote(service, body, { agent });
  const { offset_s } = await read<Clock>(CLOCK, operator);
  await service.end("SIGKILL");
  await service.restart();
  expect((await read<Clock>(CLOCK, operator)).offset_s).toBe(offset_s);
  const { now } = await move({ reset: true });
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
  (await service.api("GET", `/v1/quotes/${quote_id}`, { agent })).refused("quote_expired");
  (await sendHold(service, quote_id, { agent })).refused("quote_expired");
  const hold = await read<{ readonly state: string; readonly expires_at: string }>(
    `/v1/holds/${hold_id}`,
  );
  expect(hold.state).toBe("held");
  expect(Date.parse(hold.expires_at) - Date.now()).toBeLessThan(1000 * HOUR_S);
  await newBooking(service, stayRequest(hotel, { inDays: 5 }), { agent });
});
