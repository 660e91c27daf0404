/**
 * Goal: no input is ever the server's fault. Method: 300 seeded bodies for each route that reads
 * one: good bodies with members dropped, swapped, doubled and replaced by hostile values, and plain
 * noise. Whatever comes, the answer is below 500 and in the contract's envelope. Queries alike, of
 * each route that reads one: a parameter that is given twice is always told.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Random } from "../../src/ops/demo/random.ts";
import {
  bookingBody,
  createHotel,
  dateIn,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  propertyBody,
  type StayRequest,
  stayRequest,
} from "../support/client.ts";
import { isForOperators } from "../support/declared.ts";
import { bookedByGuest, guestOf } from "../support/guest.ts";
import { mutate } from "../support/mutate.ts";
import { OAUTH_BODIES, oauthClients } from "../support/oauth-bodies.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";
import { endpointBody } from "../support/trials.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const BODIES = 300;
const LANES = 6;
const QUERIES = 12;
const QUERY_VALUES = [
  ...["", "1", "-1", "x", "%00", "%ff%fe", "+", "%", "__proto__", "EUR", "2027-02-30", "true"],
  ...["a".repeat(1_000), "%F0%9F%98%80", "1,2,,3", "9".repeat(40)],
];

const percentOf = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

let service: Service;
let hotel: Hotel;
/** Of a guest's session. */
let secret: string;
let bodies: Readonly<Record<string, { readonly path: string; readonly body: object }>>;

/** The other protocols have forms of their own, and their own tests. */
/** Messages in XML are damaged in `ota.int.test.ts`. */
const WRITES = ROUTES.all.filter(({ method, path, reads, accepts = {} }) => {
  const isRead = method !== "GET" || reads !== undefined;
  return path.startsWith("/v1/") && isRead && !("application/xml" in accepts);
});

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  // Each request comes from a client of its own: nothing of interest is hidden behind a 429.
  service = await Service.start({ ...WHOLE_DEMO, TRUSTED_PROXIES: "1" });
  hotel = await createHotel(service, { units: [60_000] });
  const request = stayRequest(hotel);
  const { quote_id } = await newQuote(service, request);
  const hold = await newHold(service, request);
  const { booking_id } = await newBooking(service, request);
  const room_type_id = hotel.rooms[0]!.id;
  const range = { room_type_id, from: dateIn(10), to: dateIn(12), days_of_week: ["mon", "tue"] };
  const ari = {
    inventory: [{ ...range, capacity: 60_000, out_of_order: 0 }],
    rates: [
      { rate_plan_id: hotel.rooms[0]!.planIds[0], from: dateIn(10), to: dateIn(12), amount: 1 },
    ],
    restrictions: [{ ...range, min_los_arrival: 1, min_advance_days: 0, los_pattern: "Y" }],
    ceilings: [{ ...range, rate_plan_id: null, ceiling: 9, release: { strategy: "none" } }],
  };
  const receipt = (await service.api("GET", `/v1/bookings/${booking_id}`)).ok<{
    receipts: readonly object[];
  }>().data.receipts[0]!;
  const admin = `/v1/admin/properties/${hotel.id}`;
  bodies = {
    "POST /v1/search": { path: "/v1/search", body: searchBody() },
    "POST /v1/quotes": { path: "/v1/quotes", body: request },
    "POST /v1/holds": { path: "/v1/holds", body: { quote_id } },
    "POST /v1/holds/:id/release": { path: "/v1/holds/hld_x/release", body: {} },
    "POST /v1/holds/:id/extend": { path: `/v1/holds/${hold.hold_id}/extend`, body: {} },
    "POST /v1/bookings": { path: "/v1/bookings", body: fullBooking(hold) },
    "POST /v1/bookings/:id/cancel": {
      path: `/v1/bookings/${booking_id}/cancel`,
      body: { reason_code: "changed", note: "none" },
    },
    "POST /v1/admin/bookings/:id/resend-confirmation": {
      path: `/v1/admin/bookings/${booking_id}/resend-confirmation`,
      body: {},
    },
    "POST /v1/admin/bookings/:id/cancel": {
      path: "/v1/admin/bookings/bkg_x/cancel",
      body: { reason: "The roof leaks.", waive_fee: true },
    },
    ...atDesk(booking_id, ["check-in", "undo-check-in", "no-show", "complete", "erase-guest"]),
    ...{ ...walkInBodies(hold, request, booking_id), ...refundBodies(booking_id) },
    ...changeOf(booking_id, request),
    "POST /v1/receipts/verify": { path: "/v1/receipts/verify", body: receipt },
    "POST /v1/admin/properties/import": {
      path: "/v1/admin/properties/import",
      body: propertyBody(),
    },
    ...{ ...handovers(hold.hold_id), ...promotedAtOnce(hotel.id) },
    "POST /v1/admin/properties": { path: "/v1/admin/properties", body: propertyBody() },
    "POST /v1/admin/properties/:id/promote": { path: `${admin}/promote`, body: { dry_run: true } },
    "PUT /v1/admin/properties/:id/ari": { path: `${admin}/ari`, body: ari },
    "POST /v1/admin/ari/import": {
      path: "/v1/admin/ari/import",
      body: { property: hotel.id, ...ari },
    },
    ...otherBodies(hotel.slug),
    ...{ ...authorizationBodies(), ...incidentBodies(), ...otherAdminBodies() },
    // Builds of feeds are slow: the body is read before the partner is looked for.
    "POST /v1/admin/feeds/:partner/runs": {
      path: "/v1/admin/feeds/expedia/runs",
      body: { accept_shrink: true },
    },
    ...{ ...(await guestBodies()), ...(await changeBodies()), ...(await controlBodies()) },
    ...(await webhookBodies()),
  };
});
afterAll(() => service.stop());

/** Changes of a booking. */
function changeOf(bookingId: string, { stay, guests, room_type_id, rate_plan_id }: StayRequest) {
  const change = { stay, guests, room_type_id, rate_plan_id, difference: "waive" };
  const guest = { primary: { full_name: "Ada King", email: "ada@example.com" } };
  return {
    "PATCH /v1/bookings/:id": {
      path: `/v1/bookings/${bookingId}`,
      body: { ...change, guest, special_requests: "A quiet room." },
    },
    "POST /v1/bookings/:id/modification-quote": {
      path: `/v1/bookings/${bookingId}/modification-quote`,
      body: change,
    },
  };
}

/** Of guests, for the session of one; the last one ends it. */
async function guestBodies() {
  const booked = await bookedByGuest(service, stayRequest(hotel));
  ({ secret } = await guestOf(service, booked));
  const [links, sessions, own] = ["magic-links", "sessions", "booking"].map(
    (name) => `/v1/guest/${name}`,
  );
  const known = { email: "nobody@example.com", confirmation_code: "ZZZZZZZZ" };
  return {
    [`POST ${links}`]: { path: links!, body: { ...known, language: "de" } },
    [`POST ${sessions}`]: { path: sessions!, body: { ...known, code: "000000" } },
    [`POST ${own}/cancel`]: { path: `${own}/cancel`, body: { expected_refund: 1 } },
    [`PATCH ${own}`]: { path: own!, body: { special_requests: "A quiet room." } },
    [`POST ${own}/modification-quote`]: {
      path: `${own}/modification-quote`,
      body: { stay: { check_in: dateIn(30), check_out: dateIn(31) } },
    },
    [`POST ${own}/resend-confirmation`]: { path: `${own}/resend-confirmation`, body: {} },
    "DELETE /v1/guest/session": { path: "/v1/guest/session", body: {} },
  };
}

/** Checkout sessions; one is looked for before its hold. */
function handovers(hold_id: string) {
  const sessions = "/v1/checkout/sessions";
  return {
    [`POST ${sessions}`]: { path: sessions, body: { hold_id } },
    [`POST ${sessions}/:id/cancel`]: { path: `${sessions}/chk_x/cancel`, body: {} },
  };
}

/** Refunds by the property; a refund is looked for before the body is read. */
/** Bookings by the property, and what it knows of them. */
function walkInBodies(
  hold: Parameters<typeof fullBooking>[0],
  request: StayRequest,
  bookingId: string,
) {
  const all = "/v1/admin/bookings";
  const payment = { method: "card", provider_token: "tok_test_ok" };
  const { hold_id, quote_id } = hold;
  const guest = { primary: { full_name: "Ada King", email: "ada@example.com" } };
  const booking = { hold_id, quote_id, guest, payment, special_requests: "A quiet room." };
  return {
    [`POST ${all}/quote`]: { path: `${all}/quote`, body: request },
    [`POST ${all}`]: { path: all, body: booking },
    [`POST ${all}/search`]: {
      path: `${all}/search`,
      body: { guest: "ada lo", check_in_from: dateIn(1), check_in_to: dateIn(9) },
    },
    [`POST ${all}/:id/notes`]: { path: `${all}/${bookingId}/notes`, body: { text: "A note." } },
  };
}

function refundBodies(bookingId: string) {
  const refunds = "/v1/admin/refunds";
  return {
    "POST /v1/admin/bookings/:id/refunds": {
      path: `/v1/admin/bookings/${bookingId}/refunds`,
      body: { amount: 1, reason: "other", note: "A note." },
    },
    [`POST ${refunds}/:id/retry`]: { path: `${refunds}/rfd_x/retry`, body: {} },
    [`POST ${refunds}/:id/settle-elsewhere`]: {
      path: `${refunds}/rfd_x/settle-elsewhere`,
      body: { method: "cash", note: "A note." },
    },
  };
}

/** Authorizations of bookings; the policy is one that requires none. */
function authorizationBodies() {
  const all = "/v1/admin/booking-authorizations";
  const policy = "/v1/admin/authorization-policy";
  const { agent_id } = service.demo.agent;
  const amount = { max_amount: 50_000, currency: "EUR" };
  const traveler = { iss: "https://id.example", sub: "traveler-1" };
  const grant = { ...stayRequest(hotel), agent_id, ...amount, traveler, ttl_s: 300, note: "F" };
  const terms = { approver: "operator", ttl_s: 300, tolerance_bps: 0 };
  return {
    [`POST ${all}`]: { path: all, body: grant },
    [`POST ${all}/:id/approve`]: {
      path: `${all}/aut_x/approve`,
      body: { max_amount: 1, note: "A note." },
    },
    [`POST ${all}/:id/revoke`]: { path: `${all}/aut_x/revoke`, body: {} },
    [`PUT ${policy}`]: { path: policy, body: { required_when: "never", over: null, ...terms } },
  };
}

/** The erasure of an unknown guest, and an advance of the test clock. */
function otherAdminBodies() {
  const [erase, clock] = ["/v1/admin/guests/erase", "/v1/admin/test-clock"];
  return {
    "POST /v1/admin/console-links": { path: "/v1/admin/console-links", body: {} },
    [`POST ${erase}`]: { path: erase, body: { email: "nobody@example.com" } },
    [`POST ${clock}`]: { path: clock, body: { advance_s: 60 } },
  };
}

/** Oversell incidents; one is looked for before a booking. */
function incidentBodies() {
  const all = "/v1/admin/oversell-incidents";
  const { hotel_id: property_id, room_type_id, rate_plan_id, stay } = stayRequest(hotel);
  const to = { room_type_id, rate_plan_id };
  return {
    [`POST ${all}`]: { path: all, body: { property_id, room_type_id, date: stay.check_in } },
    [`POST ${all}/:id/acknowledge`]: { path: `${all}/osi_x/acknowledge`, body: {} },
    [`POST ${all}/:id/resolve`]: {
      path: `${all}/osi_x/resolve`,
      body: { action: "relocate", booking_id: "bkg_x", to, compensation: 1 },
    },
  };
}

/** Of the advisor, of what answers for it, and of exchange rates. */
function otherBodies(slug: string) {
  const sessions = "/v1/advisor/sessions";
  const session = `${sessions}/${crypto.randomUUID()}`;
  const config = { enabled: true, provider: "rules", temperature: 0.5 };
  return {
    [`DELETE ${sessions}/:id`]: { path: session, body: {} },
    [`POST ${sessions}`]: { path: sessions, body: { property_slug: slug, locale: "en" } },
    [`POST ${sessions}/:id/messages`]: {
      path: `${session}/messages`,
      body: { message: "When is check-in?" },
    },
    "PUT /v1/admin/ai-config": { path: "/v1/admin/ai-config", body: config },
    "PUT /v1/admin/fx": {
      path: "/v1/admin/fx",
      body: { base: "EUR", rates: { USD: "1.0800", JPY: "163" } },
    },
  };
}

/** Drafts of their own, so that nobody takes the hotel off sale. */
async function changeBodies() {
  const [draft, gone] = [propertyBody(), propertyBody()];
  for (const body of [draft, gone]) {
    const made = { agent: service.demo.admin, body };
    (await service.api("POST", "/v1/admin/properties", made)).ok(201);
  }
  const path = `/v1/admin/properties/${draft.id}`;
  const { name, geo, policies } = draft;
  const patch = { name, geo, policies, phone: "+34931234567", description: null, dry_run: false };
  const route = "/v1/admin/properties/:id";
  return {
    [`PUT ${route}`]: { path, body: { ...draft, dry_run: true } },
    [`PATCH ${route}`]: { path, body: patch },
    [`DELETE ${route}`]: { path: `/v1/admin/properties/${gone.id}`, body: {} },
    [`POST ${route}/suspend`]: { path: `${path}/suspend`, body: {} },
    [`POST ${route}/archive`]: { path: `${path}/archive`, body: {} },
  };
}

/** What is done to a booking at the desk, without words. */
function atDesk(bookingId: string, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => {
      const path = `/v1/admin/bookings/${bookingId}/${name}`;
      return [`POST /v1/admin/bookings/:id/${name}`, { path, body: {} }];
    }),
  );
}

function promotedAtOnce(propertyId: string) {
  const path = "/v1/admin/properties/promote";
  return { [`POST ${path}`]: { path, body: { property_ids: [propertyId], dry_run: true } } };
}

/** Agents and issuers: things of their own, so that nobody revokes the callers. */
async function controlBodies() {
  const agent = service.demo.admin;
  const agents = "/v1/admin/agents";
  const issuers = "/v1/admin/delegation-issuers";
  const limits = { rpm: 60, burst: null, max_booking_amount: { amount: 1, currency: "EUR" } };
  const rights = { scopes: ["search", "quotes"], property_ids: [hotel.id], limits };
  const agentBody = { name: "Fuzzed", kind: "agent", ...rights, contact: null };
  const made = await service.api("POST", agents, { agent, body: agentBody });
  const { agent_id, credential } = made.ok<{
    agent_id: string;
    credential: { credential_id: string };
  }>(201).data;
  const x = "A".repeat(43);
  const keys = [{ kty: "EC", crv: "P-256", kid: "1", alg: "ES256", x, y: x }];
  const terms = { allowed_audiences: ["a"], allowed_algs: ["ES256"], max_ttl_s: 60 };
  const issuerBody = { iss: "https://fuzzed.example", name: "Fuzzed", jwks: { keys }, ...terms };
  const issuer = await service.api("POST", issuers, { agent, body: issuerBody });
  const { issuer_id } = issuer.ok<{ issuer_id: string }>(201).data;
  const credentials = `${agents}/${agent_id}/credentials`;
  const { iss: _, ...patch } = issuerBody;
  const expires_at = "2099-12-31T00:00:00Z";
  const people = "/v1/admin/people";
  const personBody = {
    name: "Fuzzed",
    email: "f@example.com",
    scopes: ["search"],
    property_ids: null,
  };
  const person = await service.api("POST", people, { agent, body: personBody });
  const { person_id } = person.ok<{ person_id: string }>(201).data;
  return {
    "POST /v1/admin/people": { path: people, body: personBody },
    "PATCH /v1/admin/people/:id": {
      path: `${people}/${person_id}`,
      body: { ...personBody, state: "suspended" },
    },
    "POST /v1/admin/people/:id/links": { path: `${people}/per_x/links`, body: {} },
    "POST /v1/admin/agents": { path: agents, body: { ...agentBody, mode: "live", expires_at } },
    "PATCH /v1/admin/agents/:id": { path: `${agents}/${agent_id}`, body: { ...rights, name: "F" } },
    "DELETE /v1/admin/agents/:id": { path: `${agents}/agt_x`, body: {} },
    "POST /v1/admin/agents/:id/credentials": { path: credentials, body: { expires_at } },
    "POST /v1/admin/agents/:id/credentials/:credential_id/rotate": {
      path: `${credentials}/${credential.credential_id}/rotate`,
      body: { overlap_s: 60, expires_at },
    },
    "DELETE /v1/admin/agents/:id/credentials/:credential_id": {
      path: `${credentials}/crd_x`,
      body: {},
    },
    "POST /v1/admin/delegation-issuers": { path: issuers, body: issuerBody },
    "PATCH /v1/admin/delegation-issuers/:id": { path: `${issuers}/${issuer_id}`, body: patch },
    "DELETE /v1/admin/delegation-issuers/:id": { path: `${issuers}/iss_x`, body: {} },
    ...Object.fromEntries(
      ["suspend", "activate", "revoke"].map((verb) => [
        `POST /v1/admin/delegation-issuers/:id/${verb}`,
        { path: `${issuers}/${verb === "revoke" ? "iss_x" : issuer_id}/${verb}`, body: {} },
      ]),
    ),
    "POST /v1/admin/delegation-issuers/:id/test": {
      path: `${issuers}/${issuer_id}/test`,
      body: { token: await service.mintDelegation() },
    },
  };
}

/** Nobody is listening there, so that no ping takes long. */
async function webhookBodies() {
  const agent = service.demo.admin;
  const webhooks = "/v1/admin/webhooks";
  const rights = { property_ids: [hotel.id], scopes: ["bookings:read"] };
  const terms = { description: "F", subjects: ["booking:bkg_x"], headers: { "X-A": "b" } };
  const pace = { max_in_flight: 1, max_per_s: null, ordering: "none" };
  const body = endpointBody({ ...rights, ...terms, ...pace });
  const made = await service.api("POST", webhooks, { agent, body });
  const { endpoint_id } = made.ok<{ endpoint_id: string }>(201).data;
  const path = `${webhooks}/${endpoint_id}`;
  const steps = ["pause", "resume", "disable"].map((step) => {
    return [`POST ${webhooks}/:id/${step}`, { path: `${path}/${step}`, body: {} }] as const;
  });
  return {
    [`POST ${webhooks}`]: { path: webhooks, body },
    [`PATCH ${webhooks}/:id`]: { path, body },
    [`DELETE ${webhooks}/:id`]: { path: `${webhooks}/whe_x`, body: {} },
    [`POST ${webhooks}/:id/rotate-secret`]: {
      path: `${path}/rotate-secret`,
      body: { overlap_s: 0 },
    },
    [`POST ${webhooks}/:id/test`]: { path: `${path}/test`, body: { kind: "hold.created" } },
    ...Object.fromEntries(steps),
    ...deliveryBodies(path),
  };
}

/** To an endpoint that was disabled: only its past is asked about. */
function deliveryBodies(endpoint: string) {
  const webhooks = "/v1/admin/webhooks";
  const deliveries = "/v1/admin/webhook-deliveries";
  const delivery = `${deliveries}/dlv_x`;
  const span = { since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" };
  const narrower = { kinds: ["hold.created"], property_id: hotel.id, subject: "hold:hld_x" };
  const failed = { reason: "timeout", status: 504, dry_run: true };
  return {
    [`POST ${deliveries}/:id/replay`]: { path: `${delivery}/replay`, body: {} },
    [`POST ${deliveries}/:id/discard`]: {
      path: `${delivery}/discard`,
      body: { reason: "no longer needed" },
    },
    [`POST ${webhooks}/:id/recover`]: {
      path: `${endpoint}/recover`,
      body: { ...span, ...narrower, ...failed },
    },
    [`POST ${webhooks}/:id/replay-missing`]: { path: `${endpoint}/replay-missing`, body: span },
  };
}

function searchBody() {
  const { stay, guests } = stayRequest(hotel);
  return {
    destination: { type: "area", value: "Testville" },
    stay,
    guests: { ...guests, children: [{ age: 3 }] },
    constraints: {
      max_price_per_night: { amount: 90_000, currency: "EUR" },
      meal_plan: "breakfast",
      cancellation: "free_cancellation",
    },
  };
}

function fullBooking(hold: { readonly hold_id: string; readonly quote_id: string }) {
  const { guest, payment, ...ids } = bookingBody(hold, "tok_test_declined");
  return {
    ...ids,
    guest: {
      primary: { ...guest.primary, phone: "+34600000000" },
      additional: [{ full_name: "Grace" }],
    },
    payment: { ...payment, billing_country: "ES" },
    special_requests: "quiet",
  };
}

function fuzzHeaders(random: Random, delegation: string): Record<string, string> {
  return {
    "x-delegated-user": random.chance(0.05) ? "a.b.c" : delegation,
    "x-forwarded-for": `203.0.113.${random.int(0, 255)}`,
    ...(random.chance(0.03) ? {} : { "idempotency-key": newKey() }),
    ...(random.chance(0.03) ? { "content-type": "text/html" } : {}),
    ...(random.chance(0.03) ? { "x-tenant-id": "x" } : {}),
    ...(random.chance(0.05) ? { traceparent: "00-zz" } : {}),
  };
}

async function fuzz(route: string, agent: DemoAgent, random: Random): Promise<number> {
  const { path, body } = bodies[route]!;
  const method = route.split(" ")[0]!;
  const delegation = await service.mintDelegation();
  const isLines = path.endsWith("/import");
  const raw = isLines
    ? Array.from({ length: random.int(1, 3) }, () => mutate(body, random)).join("\n")
    : mutate(body, random);
  const type = isLines ? { "content-type": "application/x-ndjson" } : {};
  const headers = { ...type, ...fuzzHeaders(random, delegation) };
  const answer = await service.api(method, path, { agent, headers, raw });
  // A receiver that nobody runs is told as what it is.
  const isDead = route.endsWith("/test") && answer.status === 502;
  if (answer.status >= 500 && !isDead)
    throw new Error(`SEED=${SEED} ${route} ${raw}: ${answer.text}`);
  if (answer.status < 400) answer.ok(answer.status);
  else answer.anyRefusal();
  return answer.status;
}

test("every route that reads a body is fuzzed", () => {
  expect(Object.keys(bodies).sort()).toEqual(
    WRITES.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

/** The status of the body before any mutation: by chance none of 300 was sound. */
async function sendSound(route: string, agent: DemoAgent): Promise<number> {
  const { path, body } = bodies[route]!;
  const headers = { "idempotency-key": crypto.randomUUID() };
  const [method] = route.split(" ");
  return (await service.api(method!, path, { agent, headers, body })).status;
}

test("300 mutated bodies per route are answered below 500 and in the envelope", async () => {
  for (const route of Object.keys(bodies)) {
    const [method, path] = route.split(" ") as [string, string];
    const { admin, test_admin } = service.demo;
    const operator = path.endsWith("/test-clock") ? test_admin : admin;
    const caller = isForOperators(method, path) ? operator : service.demo.agent;
    const agent = ROUTES.match(method, path)?.isForGuests ? { ...caller, secret } : caller;
    const seen: number[] = [];
    const lane = async (random: Random) => {
      while (seen.length < BODIES) seen.push(await fuzz(route, agent, random));
    };
    const lanes = Array.from({ length: LANES }, (_, i) =>
      lane(new Random(`${SEED} ${route} ${i}`)),
    );
    await Promise.all(lanes);
    if (new Set(seen).size === 1) seen.push(await sendSound(route, agent));
    expect({ route, kinds: new Set(seen).size }).not.toEqual({ route, kinds: 1 });
  }
  (await service.api("GET", "/readyz", { agent: null })).ok();
  expect(service.log).not.toContain("a handler threw");
  expect(service.log).not.toContain("a decision threw");
});

/** Hostile values for some of the names, and one of them once more. */
function spoiltQuery(names: readonly string[], random: Random) {
  const twice = random.pick(names);
  const some = names.filter((name) => name === twice || random.chance(0.5));
  const parts = [...some, twice, ...(random.chance(0.2) ? ["extra"] : [])].map((name) => {
    const written = random.chance(0.1) ? name.replace(/./, percentOf) : name;
    return `${written}=${random.pick(QUERY_VALUES)}`;
  });
  return { twice, query: parts.join(random.chance(0.1) ? "&&" : "&") };
}

test("a query with a parameter given twice is refused and names it, whatever else it says", async () => {
  const routes = ROUTES.all.filter(({ path, query = {} }) => {
    return path.startsWith("/v1/") && Object.keys(query).length > 0;
  });
  expect(routes.length).toBeGreaterThan(15);
  const ask = async ({ method, path, query }: (typeof routes)[number]) => {
    const random = new Random(`${SEED} ?${path}`);
    for (let i = 0; i < QUERIES; i += 1) {
      const spoilt = spoiltQuery(Object.keys(query!), random);
      const url = `${path.replace(/:\w+/g, "x")}?${spoilt.query}`;
      const headers = fuzzHeaders(random, "a.b.c");
      delete headers["x-tenant-id"];
      const body = method === "GET" ? {} : { raw: "{}" };
      const answer = await service.api(method, url, {
        agent: service.demo.admin,
        headers,
        ...body,
      });
      if (answer.status !== 400) throw new Error(`SEED=${SEED} ${url}: ${answer.text}`);
      expect(answer.faults()).toContain(`?${spoilt.twice}`);
    }
  };
  await Promise.all(routes.map(ask));
});

test("300 spoilt bodies per OAuth endpoint get 200, or an error that it documents", async () => {
  const clients = await oauthClients(service);
  for (const [path, own, by, errors] of OAUTH_BODIES) {
    const random = new Random(`${SEED} ${path}`);
    const seen = new Set<string>();
    for (let i = 0; i < BODIES; i += 1) {
      const json = mutate({ ...own, ...(by && clients[by]) }, random);
      const isForm = random.chance(0.5);
      const raw = isForm ? json.replace(/[{}"]/g, "").replace(/,/g, "&").replace(/:/g, "=") : json;
      const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
      const headers = { "content-type": type, "x-forwarded-for": `203.0.113.${i % 256}` };
      const answer = await service.api("POST", path, { agent: null, headers, raw });
      if (answer.status < 300) continue;
      const { error, error_description } = answer.json as Record<string, string>;
      if (![400, 401].includes(answer.status) || !errors.some((one) => one === error))
        throw new Error(`SEED=${SEED} ${path} ${raw}: ${answer.text}`);
      expect(error_description).toMatch(/^[\x20-\x7e]+$/);
      seen.add(error!);
    }
    expect({ path, own, seen: seen.size }).not.toEqual({ path, own, seen: 0 });
  }
  expect(service.log).not.toContain("a handler threw");
});
