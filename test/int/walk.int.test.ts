/**
 * Goal: `next_actions` alone are enough. Given a trip, a guest, a payment token and a way to mint
 * delegation tokens, an agent gets from the agent card to a cancelled booking, and from every
 * refusal that it can do something about to the same end. Method: the walker of
 * `test/support/walker.ts`; the calls that bring it into trouble are the only ones that know paths.
 * Agents walk side by side, since most of them wait; the outage comes last.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import {
  bookingBody,
  createHotel,
  dateIn,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { type Trip, Walker } from "../support/walker.ts";

const HOLD_TTL_S = 4;

let service: Service;
let hotel: Hotel;
let trip: Trip;

beforeAll(async () => {
  service = await Service.start({ HOLD_TTL_S: String(HOLD_TTL_S), QUOTE_TTL_S: "5" });
  hotel = await createHotel(service);
  trip = tripTo(hotel);
});
afterAll(() => service.stop());

function tripTo({ slug }: Hotel): Trip {
  const stay = { check_in: dateIn(30), check_out: dateIn(32) };
  return { destination: { type: "property", value: slug }, stay, guests: { adults: 2 } };
}

const walker = (tokens?: string[]) => new Walker(service, service.demo.agent, trip, tokens);

function post(href: string, body_hint?: object): NextAction {
  const rel = "retry";
  if (body_hint === undefined) return { rel, method: "POST", href };
  return { rel, method: "POST", href, body_hint: body_hint as Record<string, unknown> };
}

const quoting = (over: object) => post("/v1/quotes", { ...stayRequest(hotel), ...over });
const holding = (quote_id: string) => post("/v1/holds", { quote_id });
const booking = (hold: Pick<Hold, "hold_id" | "quote_id">, token?: string) =>
  post("/v1/bookings", bookingBody(hold, token));

const freshHold = () => newHold(service, stayRequest(hotel));

test.concurrent("from the agent card to a cancelled booking", async () => {
  const agent = walker();
  await agent.walk();
  expect(agent.trail).toEqual(["retry", "quote", "held", "confirmed", "cancelled"]);
});

test.concurrent("from a request at fault: no key, no credential, another body under the same key", async () => {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  const hold = holding(quote_id);
  expect(await walker().recover(hold, { key: "" })).toBe("validation_failed");
  expect(await walker().recover(hold, { isAnonymous: true })).toBe("unauthenticated");
  const key = newKey();
  (await sendHold(service, "qt_unknown", { key })).refused("quote_not_found");
  expect(await walker().recover(hold, { key })).toBe("idempotency_conflict");
});

test.concurrent("from a delegation that is missing, bad or of a stranger", async () => {
  const { delegation } = service.demo;
  const iss = "https://stranger.example";
  const stranger = await mintDelegation({ ...delegation, iss }, { sub: "t", ttlS: 300 });
  for (const [token, code] of [
    ["", "delegation_required"],
    ["a.b.c", "delegation_invalid"],
    [await service.mintDelegation({ ttlS: 90_000 }), "delegation_invalid"],
    [stranger, "delegation_issuer_unknown"],
  ] as const) {
    expect(await walker().recover(booking(await freshHold()), { token })).toBe(code);
  }
});

test.concurrent("from unknown ids", async () => {
  const agent = () => walker();
  expect(await agent().recover(quoting({ hotel_id: "x" }))).toBe("property_not_found");
  expect(await agent().recover(quoting({ room_type_id: "x" }))).toBe("room_type_not_found");
  expect(await agent().recover(quoting({ rate_plan_id: "x" }))).toBe("rate_plan_not_found");
  const unknown = { hold_id: "hld_x", quote_id: "qt_x" };
  const card = await agent().capability("get_booking", { id: "bkg_x", booking_id: "bkg_x" });
  expect(await agent().recover({ ...card, method: "GET" })).toBe("booking_not_found");
  for (const [action, code] of [
    [holding("qt_x"), "quote_not_found"],
    [booking(unknown), "hold_not_found"],
  ] as const) {
    // What to price again is what the agent priced last.
    const informed = agent();
    await informed.walk();
    informed.trail.length = 0;
    expect(await informed.recover(action)).toBe(code);
  }
});

test.concurrent("from a quote or hold that ended or does not belong together", async () => {
  const hold = await freshHold();
  const other = await newQuote(service, stayRequest(hotel));
  const mixed = { hold_id: hold.hold_id, quote_id: other.quote_id };
  expect(await walker().recover(booking(mixed))).toBe("quote_mismatch");
  await service.api("POST", `/v1/holds/${hold.hold_id}/release`);
  expect(await walker().recover(booking(hold))).toBe("hold_not_active");
  const used = await freshHold();
  (await sendBooking(service, used)).ok(201);
  expect(await walker().recover(booking(used))).toBe("hold_not_active");
  const late = await freshHold();
  const stale = await newQuote(service, stayRequest(hotel));
  const isOver = (instant: string) => Date.now() > Date.parse(instant) + 300;
  await until("hold and quote expire", () => isOver(late.expires_at) && isOver(stale.expires_at));
  expect(await walker().recover(booking(late))).toBe("hold_expired");
  expect(await walker().recover(holding(stale.quote_id))).toBe("quote_expired");
});

test.concurrent("from a room that is gone, and from a ceiling", async () => {
  const full = await createHotel(service, { units: [1, 9] });
  const capped = await createHotel(service, { units: [5, 9] });
  const room_type_id = capped.rooms[0]!.id;
  const ceilings = [{ room_type_id, from: dateIn(30), to: dateIn(31), ceiling: 0 }];
  const path = `/v1/admin/properties/${capped.id}/ari`;
  (await service.api("PUT", path, { agent: service.demo.admin, body: { ceilings } })).ok();
  await newBooking(service, stayRequest(full));
  for (const [at, code] of [
    [full, "allocation_failed"],
    [capped, "allotment_exhausted"],
  ] as const) {
    const { quote_id } = await newQuote(service, stayRequest(at));
    expect(await walker().recover(holding(quote_id))).toBe(code);
  }
});

test.concurrent("from a payment that is refused, fails or stays silent", async () => {
  const recover = async (token: string, agent = walker()) =>
    agent.recover(booking(await freshHold(), token));
  const codes = await Promise.all([
    recover("tok_test_declined"),
    recover("tok_test_provider_error", walker(["tok_visa"])),
    recover("tok_test_timeout_then_captured"),
  ]);
  expect(codes).toEqual(["payment_failed", "payment_provider_error", "payment_timeout"]);
});

test.concurrent("from a limit that is reached", async () => {
  const [few, slow] = await service.newAgents([
    { limits: { max_open_holds: 1 } },
    { limits: { rpm: 60, burst: 1 } },
  ]);
  const first = await newHold(service, stayRequest(hotel), { agent: few! });
  const crowded = new Walker(service, few!, trip);
  expect(await crowded.recover(holding(first.quote_id))).toBe("rate_limited");
  const hasty = new Walker(service, slow!, trip);
  await service.api("GET", "/v1/properties", { agent: slow! });
  expect(await hasty.recover(await hasty.capability("search"))).toBe("rate_limited");
});

test.concurrent("from what cannot be cancelled or extended any more", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const cancel = post(`/v1/bookings/${booking_id}/cancel`);
  await walker().recover(cancel);
  expect(await walker().recover(cancel)).toBe("booking_not_cancellable");
  const hold = await freshHold();
  const extend = post(`/v1/holds/${hold.hold_id}/extend`);
  for (let i = 0; i < 2; i += 1) (await service.api("POST", extend.href)).ok();
  expect(await walker().recover(extend)).toBe("conflict");
});

test("from an outage", async () => {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  process.kill(service.pids.redis!, "SIGKILL");
  expect(await walker().recover(holding(quote_id))).toBe("upstream_unavailable");
});
