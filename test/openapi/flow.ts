/**
 * A walk through every operation and every error that a caller can provoke in a few seconds, in the
 * order in which a reader would try them.
 */

import { PUBLIC_KINDS } from "../../engine/core/public-events.ts";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { GUIDE_NAMES } from "../../src/publish/docs/guides.ts";
import { bookingBody, newKey } from "../support/client.ts";
import type { Service } from "../support/service.ts";
import { eventBody, signatureOf } from "../support/stripe-events.ts";
import { administer } from "./admin-flow.ts";
import { authorize } from "./authorization-flow.ts";
import { spendADay } from "./desk-flow.ts";
import { fetchFeeds } from "./feed-flow.ts";
import { visitAsGuest } from "./guest-flow.ts";
import { type ExampleHotel, exampleHotel, stayAt } from "./hotel.ts";
import { workOffOversell } from "./oversell-flow.ts";
import { Recorder } from "./recorder.ts";

interface Ids {
  readonly quote_id: string;
  readonly hold_id: string;
}

/** What the steps of the walk share. */
class Walk extends Recorder {
  readonly hotel: ExampleHotel = exampleHotel();

  get operator(): DemoAgent {
    return this.service.demo.admin;
  }

  async quote(room = 0, inDays = 30): Promise<string> {
    const body = stayAt(this.hotel, room, inDays);
    return (await this.call("POST", "/v1/quotes", { body })).ok<Ids>(201).data.quote_id;
  }

  async hold(room = 0, inDays = 30): Promise<Ids> {
    const quote_id = await this.quote(room, inDays);
    const answer = await this.call("POST", "/v1/holds", { body: { quote_id }, headers: keyed() });
    return { quote_id, hold_id: answer.ok<Ids>(201).data.hold_id };
  }

  async book(hold: Ids, token = "tok_test_ok") {
    const headers = { ...keyed(), "x-delegated-user": await this.service.mintDelegation() };
    return this.call("POST", "/v1/bookings", { headers, body: bookingBody(hold, token) });
  }
}

/** Public documents that no id is needed for. */
const publicPaths = ROUTES.published
  .filter(({ access, isForGuests, method, path }) => {
    const isOpen = access === "public" && !isForGuests;
    return isOpen && method === "GET" && !path.includes(":");
  })
  .map(({ path }) => path);

const keyed = () => ({ "idempotency-key": newKey() });

/** An hour passes in test mode. */
async function moveTheClock(on: Walk): Promise<void> {
  const { admin, test_admin: agent } = on.service.demo;
  const path = "/v1/admin/test-clock";
  (await on.call("POST", path, { agent, headers: keyed(), body: { advance_s: 3_600 } })).ok();
  (await on.call("GET", path, { agent })).ok();
  (await on.call("GET", path, { agent: admin })).refused("forbidden");
}

/** Walks on the service; everything said is in the result. */
export async function walk(service: Service): Promise<Recorder> {
  const on = new Walk(service);
  await supplyOf(on);
  await readDocuments(on);
  await bookAndCancel(on);
  await failAtTheDoor(on);
  await failOnSupply(on);
  await failOnHolds(on);
  await failOnBookings(on);
  await spendADay(on);
  await visitAsGuest(on, on.hotel);
  await receiveAnEvent(on);
  await authorize(on);
  await workOffOversell(on);
  await administer(on);
  await moveTheClock(on);
  await fetchFeeds(on);
  await connect(on);
  return on;
}

/** What a walk needs of its service. */
export const WALK_SETTINGS = { STRIPE_WEBHOOK_SECRET: "whsec_walk" } as const;

/** Stripe says that a refund has succeeded. */
async function receiveAnEvent(on: Walk): Promise<void> {
  const refund = { object: "refund", metadata: { refund_id: "rfd_01m7z5f57f000000000000000000" } };
  const text = eventBody("refund.updated", refund);
  const signature = signatureOf(text, WALK_SETTINGS.STRIPE_WEBHOOK_SECRET);
  const headers = { "stripe-signature": signature };
  const event = { agent: null, body: JSON.parse(text), headers };
  (await on.call("POST", "/webhooks/stripe", event)).ok();
}

async function supplyOf(on: Walk): Promise<void> {
  const { operator: agent, hotel } = on;
  (await on.call("POST", "/v1/admin/properties", { agent, body: hotel })).ok(201);
  const path = `/v1/admin/properties/${hotel.id}`;
  (await on.call("POST", `${path}/promote`, { agent, body: { dry_run: false } })).ok();
  const [double, suite] = hotel.room_types;
  const dates = {
    from: stayAt(hotel, 0, 30).stay.check_in,
    to: stayAt(hotel, 0, 60).stay.check_in,
  };
  const rates = [{ rate_plan_id: double!.rate_plans[0]!.id, ...dates, amount: 13_500 }];
  const release = { strategy: "rolling", days_before: 7 };
  const ceilings = [{ room_type_id: suite!.id, ...dates, ceiling: 1, release }];
  (await on.call("PUT", `${path}/ari`, { agent, body: { rates, ceilings } })).ok();
  const message = {
    headers: { "content-type": "application/xml" },
    raw: `<OTA_HotelInvCountNotifRQ><Inventories HotelCode="${hotel.id}"/></OTA_HotelInvCountNotifRQ>`,
  };
  await on.call("POST", "/v1/admin/ota", { agent, ...message });
  const night = `from=${dates.from}&to=${dates.from}&room_type=${suite!.code}`;
  (await on.call("GET", `${path}/ari?${night}`, { agent })).ok();
  const { check_in, check_out } = stayAt(hotel, 1, 30).stay;
  const explained = new URLSearchParams({
    ...{ property: hotel.slug, room_type: suite!.code, rate_plan: suite!.rate_plans[0]!.code },
    ...{ check_in, check_out },
  });
  (await on.call("GET", `/v1/admin/availability/explain?${explained}`, { agent })).ok();
  const rest = { base: "EUR", rates: { USD: "1.0850", GBP: "0.8540" } };
  (await on.call("PUT", "/v1/admin/fx", { agent, body: rest })).ok();
  (await on.call("GET", path, { agent })).ok();
  (await on.call("GET", "/v1/admin/properties", { agent })).ok();
  await editSupply(on);
  const headers = { "content-type": "application/x-ndjson" };
  const raw = `${JSON.stringify(exampleHotel())}\n{"slug":"no"}\n`;
  (await on.call("POST", "/v1/admin/properties/import", { agent, raw, headers })).ok();
  const every = { agent, body: { dry_run: true } };
  (await on.call("POST", "/v1/admin/properties/promote", every)).ok();
  const table = `property,room_type,date,capacity\n${hotel.slug},${suite!.code},${dates.from},2.5\n`;
  const csv = { agent, raw: table, headers: { "content-type": "text/csv" } };
  (await on.call("POST", "/v1/admin/ari/import", csv)).ok();
}

/** A draft from its first mistake to its archive, and one that is deleted. */
async function editSupply(on: Walk): Promise<void> {
  const { operator: agent } = on;
  const [hotel, other] = [exampleHotel(), exampleHotel()];
  const bodies = [{ ...hotel, geo: null }, other];
  for (const body of bodies) {
    (await on.call("POST", "/v1/admin/properties", { agent, body })).ok(201);
  }
  const path = `/v1/admin/properties/${hotel.id}`;
  (await on.call("PATCH", path, { agent, body: { geo: hotel.geo } })).ok();
  (await on.call("PUT", path, { agent, body: { ...hotel, star_rating: 4 } })).ok();
  (await on.call("POST", `${path}/promote`, { agent, body: { dry_run: false } })).ok();
  (await on.call("POST", `${path}/suspend`, { agent })).ok();
  (await on.call("POST", `${path}/archive`, { agent })).ok();
  (await on.call("DELETE", `/v1/admin/properties/${other.id}`, { agent })).ok();
}

/** Every public document that takes no id. */
async function readDocuments(on: Walk): Promise<void> {
  for (const path of publicPaths) {
    await on.call("GET", path, { agent: null });
  }
  (await on.call("POST", "/demo/visitors", { agent: null })).ok(201);
  for (const code of REFUSAL_CODES) {
    await on.call("GET", `/docs/errors/${code}`, { agent: null });
  }
  for (const kind of PUBLIC_KINDS) {
    await on.call("GET", `/docs/events/${kind}`, { agent: null });
  }
  for (const name of GUIDE_NAMES) {
    await on.call("GET", `/docs/guides/${name}`, { agent: null });
  }
}

async function bookAndCancel(on: Walk): Promise<void> {
  const { hotel } = on;
  (await on.call("GET", "/v1/properties")).ok();
  (await on.call("GET", `/v1/properties/${hotel.id}?currency=USD`)).ok();
  (await on.call("GET", `/v1/properties/${hotel.slug}/full`)).ok();
  await on.call("GET", `/book/${hotel.id}`, { agent: null });
  const { stay, guests } = stayAt(hotel);
  const destination = { type: "area", value: "Sevilla" };
  (await on.call("POST", "/v1/search", { body: { destination, stay, guests } })).ok();
  const dates = new URLSearchParams(stay);
  (await on.call("GET", `/v1/properties/${hotel.slug}/offers?${dates}&currency=USD`)).ok();
  (await on.call("GET", "/v1/places?q=sev")).ok();
  await askAdvisor(on);
  const hold = await on.hold();
  const path = `/v1/holds/${hold.hold_id}`;
  (await on.call("GET", path)).ok();
  (await on.call("GET", "/v1/holds")).ok();
  (await on.call("POST", `${path}/extend`, { headers: keyed() })).ok();
  await handOver(on, hold);
  const booked = (await on.book(hold)).ok<{ booking_id: string }>(201);
  const booking = `/v1/bookings/${booked.data.booking_id}`;
  (await on.call("GET", `${booking}/cancellation-quote`)).ok();
  const resend = `/v1/admin/bookings/${booked.data.booking_id}/resend-confirmation`;
  (await on.call("POST", resend, { agent: on.operator, headers: keyed() })).ok();
  const delegation = await on.service.mintDelegation();
  const headers = { ...keyed(), "x-delegated-user": delegation };
  const body = { reason_code: "changed_plans" };
  type Cancelled = { refund: { refund_id: string } };
  const cancelled = (await on.call("POST", `${booking}/cancel`, { headers, body })).ok<Cancelled>();
  (await on.call("GET", booking)).ok();
  (await on.call("GET", `${booking}/audit`)).ok();
  (await on.call("GET", `${booking}/refunds/${cancelled.data.refund.refund_id}`)).ok();
  (await on.call("POST", "/v1/receipts/verify", { agent: null, body: booked.receipt })).ok();
  const again = { "x-delegated-user": delegation, ...keyed() };
  (await on.call("POST", `${booking}/cancel`, { headers: again })).refused(
    "booking_not_cancellable",
  );
  const other = await on.hold();
  (await on.call("POST", `/v1/holds/${other.hold_id}/release`, { headers: keyed() })).ok();
}

async function handOver(on: Walk, { hold_id }: Ids): Promise<void> {
  const handover = { body: { hold_id }, headers: keyed() };
  const made = await on.call("POST", "/v1/checkout/sessions", handover);
  const { session_id } = made.ok<{ session_id: string }>(201).data;
  (await on.call("GET", `/v1/checkout/sessions/${session_id}`)).ok();
  (await on.call("POST", `/v1/checkout/sessions/${session_id}/cancel`)).ok();
}

async function askAdvisor(on: Walk): Promise<void> {
  const body = { property_slug: on.hotel.slug, locale: "en" };
  const made = await on.call("POST", "/v1/advisor/sessions", { body });
  const path = `/v1/advisor/sessions/${made.ok<{ session_id: string }>(201).data.session_id}`;
  const { check_in, check_out } = stayAt(on.hotel).stay;
  const message = `When is check-in, and what is a room for two from ${check_in} to ${check_out}?`;
  (await on.call("POST", `${path}/messages`, { body: { message } })).ok();
  (await on.call("GET", path)).ok();
  (await on.call("DELETE", path)).ok();
}

async function failAtTheDoor(on: Walk): Promise<void> {
  const { service } = on;
  const [limited, unscoped, confined] = await service.newAgents([
    { name: "One call a minute", limits: { rpm: 1, burst: 1 } },
    { name: "May search only", scopes: ["search"] },
    { name: "May sell no hotel", property_ids: [] },
  ]);
  const body = { stay: { check_in: "2026-02-30" }, guests: { adults: 0 } };
  (await on.call("POST", "/v1/search", { body })).refused("validation_failed");
  (await on.call("GET", "/v1/properties", { agent: null })).refused("unauthenticated");
  (await on.call("GET", "/v1/properties", { agent: unscoped! })).refused("forbidden");
  (await on.call("GET", "/v1/admin/properties")).refused("principal_kind_not_allowed");
  const own = `/v1/properties/${on.hotel.id}`;
  (await on.call("GET", own, { agent: confined! })).refused("resource_access_denied");
  await service.api("GET", "/v1/properties", { agent: limited! });
  (await on.call("GET", "/v1/properties", { agent: limited! })).refused("rate_limited");
  const draft = { ...exampleHotel(), room_types: [], geo: null };
  const agent = on.operator;
  (await on.call("POST", "/v1/admin/properties", { agent, body: draft })).ok(201);
  const promote = `/v1/admin/properties/${draft.id}/promote`;
  (await on.call("POST", promote, { agent })).refused("property_not_promotable");
}

async function failOnSupply(on: Walk): Promise<void> {
  const unknown = crypto.randomUUID();
  const stay = stayAt(on.hotel);
  const quote = (change: object) => on.call("POST", "/v1/quotes", { body: { ...stay, ...change } });
  (await quote({ hotel_id: unknown })).refused("property_not_found");
  (await quote({ room_type_id: unknown })).refused("room_type_not_found");
  (await quote({ rate_plan_id: unknown })).refused("rate_plan_not_found");
}

async function failOnHolds(on: Walk): Promise<void> {
  const hold = (quote_id: string, key = newKey()) =>
    on.call("POST", "/v1/holds", { body: { quote_id }, headers: { "idempotency-key": key } });
  (await hold("qte_unknown")).refused("quote_not_found");
  const key = newKey();
  (await hold(await on.quote(), key)).ok(201);
  (await hold(await on.quote(), key)).refused("idempotency_conflict");
  const inCeiling = await on.quote(1);
  const beyondCeiling = await on.quote(1, 100);
  (await hold(inCeiling)).ok(201);
  (await hold(inCeiling)).refused("allotment_exhausted");
  (await hold(beyondCeiling)).ok(201);
  (await hold(beyondCeiling)).refused("allocation_failed");
  const { hold_id } = await on.hold();
  const path = `/v1/holds/${hold_id}`;
  for (let i = 0; i < 2; i += 1) (await on.call("POST", `${path}/extend`)).ok();
  (await on.call("POST", `${path}/extend`)).refused("conflict");
  (await on.call("GET", "/v1/holds/hld_unknown")).refused("hold_not_found");
}

async function failOnBookings(on: Walk): Promise<void> {
  const { service } = on;
  const hold = await on.hold();
  (await on.call("GET", "/v1/bookings/bkg_unknown")).refused("booking_not_found");
  (await on.book({ ...hold, quote_id: await on.quote() })).refused("quote_mismatch");
  (await on.book(hold, "tok_test_declined")).refused("payment_failed");
  (await on.book(hold, "tok_test_provider_error")).refused("payment_provider_error");
  const body = bookingBody(hold);
  const unconsented = { headers: keyed(), body };
  (await on.call("POST", "/v1/bookings", unconsented)).refused("delegation_required");
  const book = (token: string, more = {}) => {
    const headers = { ...keyed(), "x-delegated-user": token };
    return on.call("POST", "/v1/bookings", { headers, body: { ...body, ...more } });
  };
  const token = await service.mintDelegation();
  (await book("not.a.token")).refused("delegation_invalid");
  const unknown = { ...service.demo.delegation, iss: "https://unknown.example.com" };
  const stranger = await mintDelegation(unknown, { sub: "traveler-1", ttlS: 300 });
  (await book(stranger)).refused("delegation_issuer_unknown");
  const authorized = await book(token, { authorization_id: "baz_unknown" });
  authorized.refused("booking_authorization_invalid");
  await service.api("POST", `/v1/holds/${hold.hold_id}/release`);
  (await on.book(hold)).refused("hold_not_active");
}

/** OAuth, MCP and A2A. */
async function connect(on: Walk): Promise<void> {
  const { agent_id: client_id, secret: client_secret } = on.service.demo.agent;
  const credentials = { client_id, client_secret };
  const open = (body: unknown) => ({ agent: null, body });
  const grant = { grant_type: "client_credentials", ...credentials };
  const granted = await on.call("POST", "/oauth/token", open(grant));
  const { access_token: token } = granted.json as { access_token: string };
  await on.call("POST", "/oauth/introspect", open({ token, ...credentials }));
  await on.call("POST", "/oauth/revoke", open({ token, ...credentials }));
  await on.call("POST", "/oauth/token", open({ ...grant, client_secret: "wrong" }));
  const client = { client_name: "Tripmate", redirect_uris: ["https://tripmate.example/callback"] };
  await on.call("POST", "/oauth/register", open(client));
  await on.call("POST", "/oauth/register", open({ ...client, redirect_uris: ["data:,"] }));
  const headers = { accept: "application/json, text/event-stream" };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  await on.call("POST", "/mcp", { headers, body: ping });
  const { stay, guests } = stayAt(on.hotel);
  const data = { skill: "search", input: { stay, guests } };
  const message = { messageId: newKey(), role: "ROLE_USER", parts: [{ data }] };
  const send = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  await on.call("POST", "/a2a", { headers: { "a2a-version": "1.0" }, body: send });
}
