/**
 * Goal: no input is ever the server's fault. Method: 300 seeded bodies for each route that reads
 * one: good bodies with members dropped, swapped, doubled and replaced by hostile values, and plain
 * noise. Whatever comes, the answer is below 500 and in the contract's envelope.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { DemoAgent } from "../../src/demo/demo-file.ts";
import { Random } from "../../src/demo/random.ts";
import { ROUTES } from "../../src/http/app.ts";
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
  stayRequest,
} from "../support/client.ts";
import { PATIENCE_MS, Service } from "../support/service.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const BODIES = 300;
const LANES = 6;

setDefaultTimeout(PATIENCE_MS);

let service: Service;
let hotel: Hotel;
let bodies: Readonly<Record<string, { readonly path: string; readonly body: object }>>;

const WRITES = ROUTES.filter(({ method, reads }) => method !== "GET" || reads !== undefined);

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  service = await Service.start();
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
    restrictions: [{ ...range, stop_sell: false, min_los_arrival: 1 }],
    ceilings: [{ ...range, rate_plan_id: null, ceiling: null }],
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
    "POST /v1/receipts/verify": { path: "/v1/receipts/verify", body: receipt },
    "POST /v1/admin/properties/import": {
      path: "/v1/admin/properties/import",
      body: propertyBody(),
    },
    "POST /v1/admin/properties": { path: "/v1/admin/properties", body: propertyBody() },
    "POST /v1/admin/properties/:id/promote": { path: `${admin}/promote`, body: { dry_run: true } },
    "PUT /v1/admin/properties/:id/ari": { path: `${admin}/ari`, body: ari },
    "PUT /v1/admin/fx": {
      path: "/v1/admin/fx",
      body: { base: "EUR", rates: { USD: "1.0800", JPY: "163" } },
    },
  };
});
afterAll(() => service.stop());

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

const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e21, 1e308, -1e308, 2 ** 53, 2 ** 31, 4_294_967_296],
  ...["", " ", "0", "-1", "NaN", "null", "\u0000", "\ud83d\ude00", "\u202e", "é".repeat(300)],
  ...["a".repeat(5_000), "../../etc/passwd", "'; DROP TABLE holds; --", "{{7*7}}", "%s%n"],
  ...["__proto__", "constructor", "toString", "9999-12-31", "0000-01-01", "-000001-01-01"],
  ...["2027-02-29T00:00:00Z", "99999999999999999999", "hld_", "qt_", "EUR", "USD"],
  ...[[], {}, [[]], [null], [{}], { a: { b: { c: {} } } }, Array(200).fill(0), { length: 5 }],
  { __proto__x: 1, constructor: { prototype: {} } },
];
/** What JSON can say and JavaScript's own stringify would not. */
const RAW_HOSTILE = [
  "1e999",
  "-1e999",
  '"\\ud800"',
  '{"__proto__":{"a":1}}',
  "1E400",
  "-0",
] as const;
const MARK = "«raw»";

type Json = Record<string, unknown>;

/** Members of an object or list, at any depth, as the object and its key. */
function places(value: unknown): { readonly of: Json; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const of = value as Json;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...places(of[key])]);
}

function hostile(random: Random): unknown {
  return structuredClone(random.pick(HOSTILE));
}

function mutate(body: object, random: Random): string {
  if (random.chance(0.05)) return noise(random);
  const copy = structuredClone(body) as Json;
  const raws: string[] = [];
  for (let count = random.int(0, 3); count >= 0; count -= 1) {
    const found = places(copy);
    if (found.length === 0 || random.chance(0.1)) {
      copy[random.pick(["extra", "constructor", "idempotency_key", ""])] = hostile(random);
      continue;
    }
    const { of, key } = random.pick(found);
    const choice = random.int(0, 5);
    if (choice === 0) delete of[key];
    else if (choice === 1) of[`${key}s`] = of[key];
    else if (choice === 2) of[key] = [of[key], of[key]];
    else if (choice === 3) {
      raws.push(random.pick(RAW_HOSTILE));
      of[key] = MARK;
    } else of[key] = hostile(random);
  }
  return JSON.stringify(copy).replaceAll(`"${MARK}"`, () => raws.shift() ?? "null");
}

function noise(random: Random): string {
  const alphabet = '{}[]":,0123456789.eE+-\\utrfnls \u0000\u00e9\ud83d';
  return Array.from(
    { length: random.int(0, 80) },
    () => alphabet[random.int(0, alphabet.length - 1)],
  ).join("");
}

function fuzzHeaders(random: Random, delegation: string): Record<string, string> {
  return {
    "x-delegated-user": random.chance(0.05) ? "a.b.c" : delegation,
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
  if (answer.status >= 500) throw new Error(`SEED=${SEED} ${route} ${raw}: ${answer.text}`);
  if (answer.status < 400) answer.ok(answer.status);
  else answer.anyRefusal();
  return answer.status;
}

test("every route that reads a body is fuzzed", () => {
  expect(Object.keys(bodies).sort()).toEqual(
    WRITES.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test("300 mutated bodies per route are answered below 500 and in the envelope", async () => {
  for (const route of Object.keys(bodies)) {
    const agent = route.includes("/admin/") ? service.demo.admin : service.demo.agent;
    const seen: number[] = [];
    const lane = async (random: Random) => {
      while (seen.length < BODIES) seen.push(await fuzz(route, agent, random));
    };
    const lanes = Array.from({ length: LANES }, (_, i) =>
      lane(new Random(`${SEED} ${route} ${i}`)),
    );
    await Promise.all(lanes);
    expect({ route, kinds: new Set(seen).size }).not.toEqual({ route, kinds: 1 });
  }
  (await service.api("GET", "/readyz", { agent: null })).ok();
  expect(service.log).not.toContain("a handler threw");
  expect(service.log).not.toContain("a decision threw");
});
