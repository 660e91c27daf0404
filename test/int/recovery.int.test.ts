/**
 * Goal: every refusal leads on. For each code that can be reached over HTTP the next actions are
 * those of the catalogue, and a body that they carry is accepted when it is sent back with its
 * blanks filled in. Method: one way into each refusal; every hint is then followed.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { type Answer, type Refusal, steps } from "../support/answer.ts";
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
  propertyBody,
  type Quote,
  type StayRequest,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { Service, until } from "../support/service.ts";

const HOLD_TTL_S = 3;

let service: Service;
let hotel: Hotel;
let request: StayRequest;

beforeAll(async () => {
  service = await Service.start({ HOLD_TTL_S: String(HOLD_TTL_S), QUOTE_TTL_S: "4" });
  hotel = await createHotel(service);
  request = stayRequest(hotel);
});
afterAll(() => service.stop());

const PROPERTIES = "get GET /v1/properties";
const AGENT_CARD = "get GET /.well-known/agent-card.json";

/** The action with the hold that only its caller knows, where it is a blank. */
function withHold(action: NextAction, hold_id: string): NextAction {
  const { fill_in = [], body_hint } = action;
  const rest = fill_in.filter(({ path }) => path !== "/hold_id");
  if (rest.length === fill_in.length) return action;
  return { ...action, fill_in: rest, body_hint: { ...body_hint, hold_id } };
}

/**
 * Checks code and actions; then does what each action with a body says, for `holdId` where a hold
 * is to be filled in.
 */
async function expectRecovery(
  answer: Answer,
  code: string,
  expected: readonly string[],
  holdId = "hld_x",
): Promise<Refusal> {
  const refusal = answer.refused(code);
  expect(steps(refusal.next_actions)).toEqual([...expected]);
  // The same call once more is for the literal client, and a release ends what a booking needs.
  const made = ({ body_hint, rel }: NextAction) =>
    body_hint !== undefined && !["retry", "release"].includes(rel);
  for (const found of refusal.next_actions.filter(made)) {
    const action = withHold(found, holdId);
    const isAdmin = action.href.startsWith("/v1/admin/");
    const { admin, agent } = service.demo;
    const { status, text } = await follow(service, action, isAdmin ? admin : agent);
    const wanted = action.href === "/v1/search" ? 200 : 201;
    expect({ action, status, text }).toEqual({ action, status: wanted, text });
  }
  return refusal;
}

const postQuote = (over: object) =>
  service.api("POST", "/v1/quotes", { body: { ...request, ...over } });

test("a request that is at fault itself is to be sent again", async () => {
  const empty = await service.api("POST", "/v1/holds", { body: {} });
  await expectRecovery(empty, "validation_failed", ["retry POST /v1/holds"]);
  const nobody = await service.api("GET", "/v1/properties", { agent: null });
  await expectRecovery(nobody, "unauthenticated", ["retry GET /v1/properties"]);
  const key = newKey();
  (await sendHold(service, "qt_one", { key })).refused("quote_not_found");
  const reused = await sendHold(service, "qt_two", { key });
  await expectRecovery(reused, "idempotency_conflict", ["retry POST /v1/holds"]);
});

test("a delegation that does not verify leads to the trusted issuers", async () => {
  const hold = await newHold(service, request);
  const { delegation } = service.demo;
  const ISSUERS = `get GET /.well-known/delegation-issuers?tenant_id=${service.demo.tenant_id}&mode=live`;
  const body = bookingBody(hold);
  const send = (headers: Record<string, string>) =>
    service.api("POST", "/v1/bookings", {
      headers: { "idempotency-key": newKey(), ...headers },
      body,
    });
  const options = { sub: "traveler-1", ttlS: 300 };
  const with_ = async (over: object, more: object = {}) =>
    send({
      "x-delegated-user": await mintDelegation({ ...delegation, ...over }, { ...options, ...more }),
    });
  const retry = "retry POST /v1/bookings";
  const handover = "confirm POST /v1/checkout/sessions";
  const { hold_id } = await newHold(service, request);
  const ways = [retry, handover, ISSUERS];
  await expectRecovery(await send({}), "delegation_required", ways, hold_id);
  const reasonOf = async (answer: Answer) =>
    (await expectRecovery(answer, "delegation_invalid", [retry, ISSUERS])).detail;
  expect(await reasonOf(await send({ "x-delegated-user": "a.b" }))).toEqual({
    reason: "bad_signature",
  });
  expect(await reasonOf(await with_({ kid: "other" }))).toEqual({ reason: "bad_signature" });
  const audience = { reason: "audience_mismatch" };
  expect(await reasonOf(await with_({ aud: "https://x.example" }))).toMatchObject(audience);
  expect(await reasonOf(await with_({}, { holdId: "hld_other" }))).toMatchObject(audience);
  expect(await reasonOf(await with_({}, { maxAmount: 1 }))).toEqual({
    ...audience,
    claim: "max_amount",
  });
  expect(await reasonOf(await with_({}, { ttlS: 90_000 }))).toMatchObject({ reason: "expired" });
  expect(await reasonOf(await with_({}, { sub: "" }))).toEqual({
    reason: "missing_claim",
    claim: "sub",
  });
  const stranger = await with_({ iss: "https://stranger.example" });
  await expectRecovery(stranger, "delegation_issuer_unknown", [ISSUERS]);
  (await with_({}, { holdId: hold.hold_id, maxAmount: 20_000 })).ok(201);
});

test("what a credential may not do leads to the agent card", async () => {
  const [partner, poor] = await service.newAgents([
    { kind: "partner" },
    { scopes: ["supply:read"] },
  ]);
  const search = (agent: typeof partner) => service.api("POST", "/v1/search", { agent: agent! });
  await expectRecovery(await search(partner), "principal_kind_not_allowed", [AGENT_CARD]);
  await expectRecovery(await search(poor), "forbidden", [AGENT_CARD]);
  const booking = await newBooking(service, request);
  const other = await service.mintDelegation({ sub: "somebody-else" });
  const path = `/v1/bookings/${booking.booking_id}/cancel`;
  const denied = await service.api("POST", path, { headers: { "x-delegated-user": other } });
  // Nobody but the booking's own traveler gets past that.
  const again = `retry POST ${path}`;
  const { detail } = await expectRecovery(denied, "resource_access_denied", [again, AGENT_CARD]);
  expect(detail).toMatchObject({ reason: "traveler_mismatch" });
});

test("what is not found leads to where it can be found or made", async () => {
  const search = "search POST /v1/search";
  await expectRecovery(await postQuote({ hotel_id: "x" }), "property_not_found", [
    search,
    PROPERTIES,
  ]);
  const quote = "quote POST /v1/quotes";
  const both = [`get GET /v1/properties/${hotel.id}`, search];
  await expectRecovery(await postQuote({ room_type_id: "x" }), "room_type_not_found", both);
  const foreign = { rate_plan_id: (await createHotel(service)).rooms[0]!.planIds[0] };
  await expectRecovery(await postQuote(foreign), "rate_plan_not_found", both);
  const unknown = await sendHold(service, "qt_x");
  expect(steps(unknown.refused("quote_not_found").next_actions)).toEqual([
    search,
    quote,
    PROPERTIES,
  ]);
  const read = (await service.api("GET", "/v1/holds/hld_x")).refused("hold_not_found");
  const holds = "get GET /v1/holds";
  expect(steps(read.next_actions)).toEqual([search, quote, holds, PROPERTIES]);
  const bookings = "get GET /v1/bookings";
  const found = [search, bookings, PROPERTIES];
  await expectRecovery(await sendCancel(service, "bkg_x"), "booking_not_found", found);
});

test("an expired, used or mismatched quote or hold leads to the same quote again", async () => {
  const requote = "requote POST /v1/quotes";
  // Asking whether a quote has expired places holds: one unit bounds them.
  const scarce = await newQuote(service, stayRequest(await createHotel(service, { units: [1] })));
  const { quote_id } = await newQuote(service, request);
  const hold = (await sendHold(service, quote_id)).ok<Hold>(201).data;
  const other = { ...hold, quote_id: (await newQuote(service, request)).quote_id };
  await expectRecovery(await sendBooking(service, other), "quote_mismatch", [requote]);
  const booking = (await sendBooking(service, hold)).ok<{ booking_id: string }>(201).data;
  await expectRecovery(await sendBooking(service, hold), "hold_not_active", [
    `get GET /v1/bookings/${booking.booking_id}`,
    requote,
  ]);
  const released = await newHold(service, request);
  const at = `/v1/holds/${released.hold_id}`;
  (await service.api("POST", `${at}/release`)).ok();
  await expectRecovery(await sendBooking(service, released), "hold_not_active", [
    `get GET ${at}`,
    requote,
  ]);
  const late = await newHold(service, request);
  await until("the hold expires", async () => {
    const path = `/v1/holds/${late.hold_id}/extend`;
    return (
      Date.now() > Date.parse(late.expires_at) && (await service.api("POST", path)).status === 410
    );
  });
  await expectRecovery(await sendBooking(service, late), "hold_expired", [requote]);
  const isExpired = async () => (await sendHold(service, scarce.quote_id)).status === 410;
  await until("the quote expires", isExpired);
  await expectRecovery(await sendHold(service, scarce.quote_id), "quote_expired", [requote]);
});

test("a room that cannot be held leads to alternatives that can", async () => {
  const search = "search POST /v1/search";
  const full = await createHotel(service, { units: [1, 9] });
  const capped = await createHotel(service, { units: [5, 9] });
  const room_type_id = capped.rooms[0]!.id;
  const ceilings = [{ room_type_id, from: dateIn(30), to: dateIn(31), ceiling: 0 }];
  const path = `/v1/admin/properties/${capped.id}/ari`;
  (await service.api("PUT", path, { agent: service.demo.admin, body: { ceilings } })).ok();
  await newHold(service, stayRequest(full));
  for (const [at, code] of [
    [full, "allocation_failed"],
    [capped, "allotment_exhausted"],
  ] as const) {
    const { quote_id } = await newQuote(service, stayRequest(at));
    const requotes = Array(3).fill("requote POST /v1/quotes");
    const answer = await sendHold(service, quote_id);
    const { next_actions, detail } = await expectRecovery(answer, code, [...requotes, search]);
    expect(detail.blocking).toHaveLength(2);
    expect(detail.alternatives).toHaveLength(3);
    for (const action of next_actions.slice(0, 3)) {
      const quote = (await follow(service, action)).ok<Quote>(201).data;
      (await sendHold(service, quote.quote_id)).ok(201);
    }
  }
});

test("a refused payment leads to another try or to the hold's release", async () => {
  const hold = await newHold(service, request);
  const declined = await sendBooking(service, hold, { token: "tok_test_declined" });
  await expectRecovery(declined, "payment_failed", [
    "confirm POST /v1/bookings",
    `release POST /v1/holds/${hold.hold_id}/release`,
  ]);
  const another = await newHold(service, request);
  const failed = await sendBooking(service, another, { token: "tok_test_provider_error" });
  const retry = "retry POST /v1/bookings";
  const { retry_after } = await expectRecovery(failed, "payment_provider_error", [retry]);
  expect(retry_after).toBe(2);
});

test("a booking that cannot be cancelled leads to the booking and its audit", async () => {
  const { booking_id } = await newBooking(service, request);
  const cancelled = (await sendCancel(service, booking_id)).ok<{ refund: { refund_id: string } }>();
  const path = `/v1/bookings/${booking_id}`;
  const refund = `${path}/refunds/${cancelled.data.refund.refund_id}`;
  const again = await sendCancel(service, booking_id);
  const expected = [`get GET ${path}`, `get_audit GET ${path}/audit`, `get_refund GET ${refund}`];
  const { next_actions } = await expectRecovery(again, "booking_not_cancellable", expected);
  for (const action of next_actions) (await follow(service, action)).ok();
});

test("a conflict leads to what it is with", async () => {
  const hold = await newHold(service, request);
  const path = `/v1/holds/${hold.hold_id}`;
  for (let i = 0; i < 2; i += 1) (await service.api("POST", `${path}/extend`)).ok();
  const third = await service.api("POST", `${path}/extend`);
  await expectRecovery(third, "conflict", [`get GET ${path}`]);
  const agent = service.demo.admin;
  const body = { ...propertyBody(), slug: hotel.slug };
  const taken = await service.api("POST", "/v1/admin/properties", { agent, body });
  const { detail } = await expectRecovery(taken, "conflict", [
    `get GET /v1/admin/properties/${hotel.id}`,
    "retry POST /v1/admin/properties",
  ]);
  expect(detail.reason).toBe("slug_taken");
  const retry = taken.anyRefusal().next_actions[1]!;
  expect(retry.changes).toEqual(["/slug"]);
  (await follow(service, retry, agent)).ok(201);
});

test("a property that is not ready names every reason and the body that mends them", async () => {
  const agent = service.demo.admin;
  const { geo: _geo, policies: _policies, ...body } = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
  const path = `/v1/admin/properties/${body.id}`;
  const refused = await service.api("POST", `${path}/promote`, { agent });
  (await service.api("GET", `/v1/properties/${body.id}`)).refused("property_not_found");
  const { detail } = await expectRecovery(refused, "property_not_promotable", [`get GET ${path}`]);
  const reasons = detail.reasons as readonly { code: string; severity: string }[];
  const errors = reasons.filter(({ severity }) => severity === "error").map(({ code }) => code);
  expect(errors).toEqual(["missing_geo", "rate_plan_without_policy", "rate_plan_without_policy"]);
  const { patch } = detail.mending as { patch: Record<string, unknown> };
  expect(Object.keys(patch)).toEqual(["geo", "policies"]);
});

test("a booking above the agent's limit leads to its authorization and to cheaper ones", async () => {
  const limits = { max_booking_amount: { amount: 19_999, currency: "EUR" } };
  const [agent] = await service.newAgents([{ limits }]);
  const hold = await newHold(service, request, { agent: agent! });
  const above = (await sendBooking(service, hold, { agent: agent! })).refused(
    "authorization_required",
  );
  const ways = [
    ...["search POST /v1/search", "search POST /v1/search"],
    ...[`get GET /v1/holds/${hold.hold_id}`, `release POST /v1/holds/${hold.hold_id}/release`],
  ];
  const read = `get GET /v1/booking-authorizations/${above.detail.authorization_id}`;
  expect(steps(above.next_actions)).toEqual([read, ...ways]);
  expect(above.detail).toMatchObject({ policy: "max_booking_amount", amount: 20_000 });
  const [, there] = above.next_actions;
  const found = (await follow(service, there!, agent!)).ok<{ results: { total: object }[] }>();
  // Without taxes the limit is half of 19,999 for a night.
  expect(there!.body_hint).toMatchObject({
    constraints: { max_price_per_night: { amount: 9_999, currency: "EUR" } },
  });
  for (const action of found.next_actions.filter(({ rel }) => rel === "quote")) {
    const quote = (await follow(service, action, agent!)).ok<Quote>(201).data;
    const cheaper = (await sendHold(service, quote.quote_id, { agent: agent! })).ok<Hold>(201).data;
    (await sendBooking(service, cheaper, { agent: agent! })).ok(201);
  }
  const headers = {
    "idempotency-key": newKey(),
    "x-delegated-user": await service.mintDelegation(),
  };
  const body = { ...bookingBody(hold), authorization_id: "auth_x" };
  const sent = await service.api("POST", "/v1/bookings", { agent: agent!, headers, body });
  expect(steps(sent.refused("booking_authorization_invalid").next_actions)).toEqual([
    ...["confirm POST /v1/bookings", ...ways],
  ]);
  const other = await newHold(service, request);
  const free = { ...headers, "idempotency-key": newKey() };
  const needless = await service.api("POST", "/v1/bookings", {
    headers: free,
    body: { ...bookingBody(other), authorization_id: "auth_x" },
  });
  const [confirm] = needless.refused("booking_authorization_invalid").next_actions;
  expect(confirm).toMatchObject({ rel: "confirm", changes: ["/authorization_id"] });
  (await follow(service, confirm!)).ok(201);
});

test("an agent at its limit of open holds or quotes learns when to try again", async () => {
  const [few, rare] = await service.newAgents([
    { limits: { max_open_holds: 1 } },
    { limits: { max_open_quotes: 1 } },
  ]);
  const hold = await newHold(service, request, { agent: few! });
  const capped = await sendHold(service, hold.quote_id, { agent: few! });
  const { retry_after, detail } = await expectRecovery(capped, "rate_limited", [
    "get GET /v1/holds",
    "retry POST /v1/holds",
  ]);
  const held = (await service.api("GET", "/v1/holds", { agent: few! })).ok<{ items: Hold[] }>();
  expect(held.data.items.map(({ hold_id }) => hold_id)).toEqual([hold.hold_id]);
  expect(steps(held.next_actions)).toEqual([`release POST /v1/holds/${hold.hold_id}/release`]);
  expect(detail).toMatchObject({ policy: "max_open_holds", limit: 1, open: 1 });
  expect(retry_after).toBeWithin(1, HOLD_TTL_S + 1);
  await newQuote(service, request, { agent: rare! });
  const more = await service.api("POST", "/v1/quotes", { agent: rare!, body: request });
  await expectRecovery(more, "rate_limited", ["retry POST /v1/quotes"]);
  const path = `/v1/holds/${hold.hold_id}/release`;
  (await service.api("POST", path, { agent: few! })).ok();
  (await sendHold(service, hold.quote_id, { agent: few! })).ok(201);
});

test("without a payment provider bookings are refused before anything is journaled", async () => {
  await service.restart({ PAYMENT_PROVIDER: "stripe", HOLD_TTL_S: "60" });
  const hold = await newHold(service, request);
  const refused = await sendBooking(service, hold);
  const { detail } = await expectRecovery(refused, "service_not_configured", ["get GET /readyz"]);
  expect(detail).toEqual({ missing: "STRIPE_SECRET_KEY" });
  const ready = (await service.api("GET", "/readyz", { agent: null })).refused(
    "upstream_unavailable",
  );
  expect(ready.detail).toMatchObject({ upstream: "payments", status: "down" });
  const { data } = (await service.api("GET", `/v1/holds/${hold.hold_id}`)).ok();
  expect(data).toMatchObject({ state: "held", payment: null });
});
