/**
 * What a client does with the service: make a hotel, price a stay, hold it, book it. Each step
 * either succeeds or fails the test; `send…` give the bare answer to those who expect a refusal.
 */

import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "./answer.ts";
import type { Front } from "./service.ts";

const DAY_MS = 86_400_000;

export interface Hotel {
  readonly id: string;
  readonly slug: string;
  readonly rooms: readonly { readonly id: string; readonly planIds: readonly string[] }[];
}

export interface HotelTerms {
  readonly operator?: DemoAgent;
  /** Units of each room type. */
  readonly units?: readonly number[];
  /** Minor units per night. */
  readonly rate?: number;
  readonly currency?: string;
  readonly timezone?: string;
  /** Local time, `HH:mm`. */
  readonly checkinTime?: string;
}

export interface StayRequest {
  readonly hotel_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly stay: { readonly check_in: string; readonly check_out: string };
  readonly guests: { readonly adults: number; readonly children?: readonly { age: number }[] };
}

export interface Quote {
  readonly quote_id: string;
  readonly expires_at: string;
  readonly price_breakdown: { readonly total: number; readonly due_now: number };
  readonly availability: { readonly sellable: number };
}

export interface Hold {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly state: string;
  readonly expires_at: string;
}

export interface Booking {
  readonly booking_id: string;
  readonly confirmation_code: string;
  readonly state: string;
  readonly payment: {
    readonly payment_id: string;
    readonly state: string;
    readonly amount: number;
  } | null;
}

/** UTC date in `days` days, `YYYY-MM-DD`. */
export function dateIn(days: number, from = Date.now()): string {
  return new Date(from + days * DAY_MS).toISOString().slice(0, 10);
}

export function newKey(): string {
  return `key-${crypto.randomUUID()}`;
}

function roomType(code: string, units: number, { rate = 10_000, currency = "EUR" }: HotelTerms) {
  const plan = { currency, base_rate_per_night: rate, meal_plan: "breakfast" };
  return {
    id: crypto.randomUUID(),
    code,
    name: `Room ${code}`,
    max_occupancy: 4,
    default_inventory: units,
    rate_plans: [
      {
        id: crypto.randomUUID(),
        code: "FLEX",
        name: "Flexible",
        ...plan,
        cancellation_kind: "free_until_cutoff",
      },
      {
        id: crypto.randomUUID(),
        code: "FIX",
        name: "Fixed",
        ...plan,
        cancellation_kind: "non_refundable",
      },
    ],
  };
}

/** Body of a property that can be promoted; two plans per room type. */
export function propertyBody(terms: HotelTerms = {}) {
  const { units = [50], currency = "EUR", timezone = "Europe/Madrid" } = terms;
  const { checkinTime: checkin_time = "15:00" } = terms;
  const id = crypto.randomUUID();
  const policy = (cancellation_kind: string, hours: number, pct: number) => ({
    version: "1",
    cancellation_kind,
    free_cancellation_hours_before_checkin: hours,
    cancellation_fee_pct_after_cutoff: pct,
  });
  return {
    id,
    slug: `hotel-${id.slice(0, 13)}`,
    name: `Hotel ${id.slice(0, 8)}`,
    address: { line1: "1 Calle Mayor", city: "Testville", country: "ES" },
    geo: { lat: 40.4, lng: -3.7 },
    default_currency: currency,
    timezone,
    checkin_time,
    policies: [policy("free_until_cutoff", 48, 50), policy("non_refundable", 0, 100)],
    room_types: units.map((count, i) => roomType(`R${i}`, count, terms)),
  };
}

/** Creates a property and puts it on sale. */
export function createHotel(service: Front, terms: HotelTerms = {}): Promise<Hotel> {
  return putOnSale(service, propertyBody(terms), terms.operator);
}

/** What is read of a property's body. */
interface SoldBody {
  readonly id: string;
  readonly slug: string;
  readonly room_types: readonly {
    readonly id: string;
    readonly rate_plans: readonly { readonly id: string }[];
  }[];
}

/** The same for the body of a property, which may be another one than `propertyBody` makes. */
export async function putOnSale(
  service: Front,
  body: SoldBody,
  agent = service.demo.admin,
): Promise<Hotel> {
  (await service.api("POST", "/v1/admin/properties", { agent, body })).ok(201);
  (await service.api("POST", `/v1/admin/properties/${body.id}/promote`, { agent })).ok();
  const rooms = body.room_types.map((room) => {
    return { id: room.id, planIds: room.rate_plans.map(({ id }) => id) };
  });
  return { id: body.id, slug: body.slug, rooms };
}

/** Starts an advisor session about a hotel; its id. */
export async function newSession(service: Front, hotel: Hotel, agent = service.demo.agent) {
  const body = { property_slug: hotel.slug };
  const made = await service.api("POST", "/v1/advisor/sessions", { agent, body });
  return made.ok<{ readonly session_id: string }>(201).data.session_id;
}

export interface StayTerms {
  readonly room?: number;
  readonly plan?: number;
  /** Days from today to check-in. */
  readonly inDays?: number;
  readonly nights?: number;
}

/** A quote request for two adults. */
export function stayRequest(hotel: Hotel, terms: StayTerms = {}): StayRequest {
  const { room = 0, plan = 0, inDays = 30, nights = 2 } = terms;
  const roomType = hotel.rooms[room]!;
  return {
    hotel_id: hotel.id,
    room_type_id: roomType.id,
    rate_plan_id: roomType.planIds[plan]!,
    stay: { check_in: dateIn(inDays), check_out: dateIn(inDays + nights) },
    guests: { adults: 2 },
  };
}

interface Caller {
  readonly agent?: DemoAgent;
  readonly key?: string;
}

/** Prices a stay. */
export async function newQuote(
  service: Front,
  body: StayRequest,
  caller: Caller = {},
): Promise<Quote> {
  return (await service.api("POST", "/v1/quotes", { ...caller, body })).ok<Quote>(201).data;
}

/** Asks for a hold; the answer may be a refusal. */
export function sendHold(service: Front, quoteId: string, caller: Caller = {}): Promise<Answer> {
  const { key = newKey(), ...rest } = caller;
  const headers = { "idempotency-key": key };
  return service.api("POST", "/v1/holds", { ...rest, headers, body: { quote_id: quoteId } });
}

/** Prices and holds a stay. */
export async function newHold(
  service: Front,
  body: StayRequest,
  caller: Caller = {},
): Promise<Hold> {
  const { quote_id } = await newQuote(service, body, caller);
  return (await sendHold(service, quote_id, caller)).ok<Hold>(201).data;
}

/** Body of `POST /v1/bookings` for a hold. */
export function bookingBody(hold: Pick<Hold, "hold_id" | "quote_id">, token = "tok_test_ok") {
  return {
    hold_id: hold.hold_id,
    quote_id: hold.quote_id,
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    payment: { method: "card", provider_token: token },
  };
}

export interface BookingTerms extends Caller {
  readonly token?: string;
  /** Delegation token; a fresh one unless given. */
  readonly delegation?: string;
}

/** Grants an authorization for a stay to an agent; its id. */
export async function newAuthorization(
  service: Front,
  body: StayRequest,
  { agent_id }: Pick<DemoAgent, "agent_id">,
  over: object = {},
): Promise<string> {
  const made = await service.api("POST", "/v1/admin/booking-authorizations", {
    agent: service.demo.admin,
    body: { ...body, agent_id, max_amount: 500_000, currency: "EUR", ...over },
  });
  return made.ok<{ readonly authorization_id: string }>(201).data.authorization_id;
}

let incidentsMade = 0;

/** Holds a room on nights of its own and takes all of its units away: the incident's id. */
export async function newIncident(
  service: Front,
  hotel: Hotel,
  { agent, operator = service.demo.admin }: Caller & { readonly operator?: DemoAgent } = {},
): Promise<string> {
  incidentsMade += 1;
  const body = stayRequest(hotel, { inDays: 150 + 2 * incidentsMade, nights: 1 });
  await newHold(service, body, agent ? { agent } : {});
  const range = { from: body.stay.check_in, to: body.stay.check_in, capacity: 0 };
  const cut = await service.api("PUT", `/v1/admin/properties/${hotel.id}/ari`, {
    agent: operator,
    body: { inventory: [{ room_type_id: body.room_type_id, ...range }] },
  });
  return cut.ok<{ readonly incident_ids: readonly string[] }>().data.incident_ids[0]!;
}

/** Asks for a booking; the answer may be a refusal. */
export async function sendBooking(
  service: Front,
  hold: Pick<Hold, "hold_id" | "quote_id">,
  terms: BookingTerms = {},
): Promise<Answer> {
  const { token, key = newKey(), delegation, ...rest } = terms;
  const headers = {
    "idempotency-key": key,
    "x-delegated-user": delegation ?? (await service.mintDelegation()),
  };
  return service.api("POST", "/v1/bookings", { ...rest, headers, body: bookingBody(hold, token) });
}

/** Prices, holds and books a stay. */
export async function newBooking(service: Front, body: StayRequest, caller: Caller = {}) {
  const hold = await newHold(service, body, caller);
  return (await sendBooking(service, hold, caller)).ok<Booking>(201).data;
}

/** Asks for a cancellation; the answer may be a refusal. */
export async function sendCancel(
  service: Front,
  bookingId: string,
  caller: Caller & { readonly body?: unknown } = {},
): Promise<Answer> {
  const { key, ...rest } = caller;
  const headers = {
    "x-delegated-user": await service.mintDelegation(),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  return service.api("POST", `/v1/bookings/${bookingId}/cancel`, { ...rest, headers });
}
