/**
 * Commands for the tests of durability: one property with two room types, quotes made by hand.
 * Prices are round numbers; what is tested here is that they come back, not how they are made.
 */
import { dateOf } from "../../engine/core/calendar.ts";
import type {
  CommandMeta,
  CreateProperty,
  PlaceHold,
  PromoteProperty,
} from "../../engine/core/commands.ts";
import type { Actor } from "../../engine/core/parties.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { quoteText, readQuote } from "../../engine/core/price/quote-codec.ts";
import type { PropertyTree, RatePlan, RoomType } from "../../engine/core/supply.ts";
import type { Random } from "./random.ts";

export const TENANT_ID = "7b6b6f0e-0000-4000-8000-000000000001";
export const PROPERTY_ID = "7b6b6f0e-0000-4000-8000-0000000000aa";
/** 2026-01-15T12:00:00Z. */
export const START_MS = Date.UTC(2026, 0, 15, 12);
export const START_DAY = Math.floor(START_MS / 86_400_000);
export const OPERATOR: Actor = { kind: "operator", id: "agt_admin" };
export const HOLD_TTL_MS = 900_000;

const ROOMS = ["single", "double"] as const;
const PLANS = ["flex", "saver"] as const;
const AGENTS = ["agt_ada", "agt_bob"] as const;

function planOf(room: string, code: string): RatePlan {
  return {
    id: `${room}-${code}`,
    code,
    name: code,
    currency: "EUR",
    base_rate_per_night: 10_000,
    meal_plan: "breakfast",
    cancellation_kind: "free_until_cutoff",
    extra_adult_per_night: 1_500,
    adjustments: [],
  };
}

function roomOf(code: string, units: number): RoomType {
  return {
    id: code,
    code,
    name: code,
    description: null,
    max_occupancy: 3,
    included_occupancy: 2,
    bed_type: null,
    floor_size_sqm: null,
    amenities: [],
    images: [],
    smoking_allowed: false,
    default_inventory: units,
    overbooking_limit: 0,
    rate_plans: PLANS.map((plan) => planOf(code, plan)),
  };
}

function treeOf(units: number): PropertyTree {
  return {
    id: PROPERTY_ID,
    slug: "harbour",
    name: "Hotel Zum Löwen ☀",
    description: null,
    star_rating: 4,
    address: { line1: "Kai 1", city: "Hamburg", country: "DE" },
    geo: { lat: 53.54, lng: 9.99 },
    default_currency: "EUR",
    timezone: "Europe/Berlin",
    amenities: [],
    images: [],
    phone: null,
    email: null,
    pets_allowed: false,
    number_of_rooms: null,
    checkin_time: "15:00",
    checkout_time: "11:00",
    policies: [
      {
        version: "1",
        cancellation_kind: "free_until_cutoff",
        free_cancellation_hours_before_checkin: 48,
        cancellation_fee_pct_after_cutoff: 50,
        child_policy_text: null,
        no_show_fee_pct: 100,
      },
    ],
    tax_rules: [],
    child_bands: [],
    room_types: ROOMS.map((room) => roomOf(room, units)),
  };
}

/** What every command carries, with a fresh key. */
export function metaOf(random: Random, actor: Actor): CommandMeta & { readonly key: string } {
  const key = random.hex(16);
  return {
    tenant_id: TENANT_ID,
    mode: "live",
    actor,
    trace_id: `trc_${key.slice(0, 8)}`,
    docs: "https://docs.example",
    random: random.hex(16),
    key,
    body_hash: random.hex(16),
  };
}

/** One of two agents. */
export function someAgent(random: Random): Actor {
  return { kind: "agent", id: random.pick(AGENTS) };
}

/** Creates the property, `units` of each room type every night, and takes it live. */
export function openHotel(random: Random, units: number): [CreateProperty, PromoteProperty] {
  const meta = () => metaOf(random, OPERATOR);
  const state = { property_id: PROPERTY_ID, dry_run: false, payments_configured: true };
  return [
    { ...meta(), type: "CreateProperty", tree: treeOf(units), payments_configured: true },
    { ...meta(), type: "PromoteProperty", ...state },
  ];
}

function quoteOf(random: Random, agentId: string, nowMs: number): FrozenQuote {
  const room = random.pick(ROOMS);
  const firstDay = Math.floor(nowMs / 86_400_000) + 1 + random.below(20);
  const nightly = Array.from({ length: 1 + random.below(3) }, () => 10_000 + random.below(90) * 50);
  const total = nightly.reduce((sum, amount) => sum + amount, 0);
  const dueNow = random.chance(0.4) ? 0 : total;
  const anchor = (firstDay * 24 + 14) * 3_600_000;
  const quote: FrozenQuote = {
    property_id: PROPERTY_ID,
    room_type_id: room,
    rate_plan_id: `${room}-${random.pick(PLANS)}`,
    stay: { check_in: dateOf(firstDay), check_out: dateOf(firstDay + nightly.length) },
    guests: { adults: 2, children: [] },
    quote_id: `qt_${random.hex(13)}`,
    tenant_id: TENANT_ID,
    mode: "live",
    agent_id: agentId,
    supply_version: 1,
    policy_version: "1",
    currency: "EUR",
    nightly,
    extra_adult: 1_500,
    sources: "b".repeat(nightly.length),
    room_subtotal: total,
    total,
    due_now: dueNow,
    due_at_property: total - dueNow,
    fees: {
      tiers: [{ until_ms: anchor - 172_800_000, fee: 0 }],
      after: Math.floor(dueNow / 2),
      no_show: dueNow,
      anchor_ms: anchor,
      anchor: new Date(anchor).toISOString(),
    },
    price_hash: `sha256:${random.hex(32)}`,
    policy_hash: `sha256:${random.hex(32)}`,
    created_at: nowMs,
    expires_at: nowMs + 1_800_000,
  };
  // As it arrives at the engine: through the codec, which fixes the order of its members.
  return readQuote(quoteText(quote), TENANT_ID, "live");
}

/** A hold on a fresh quote of one to three nights. */
export function placeHold(random: Random, nowMs: number): PlaceHold {
  const actor = someAgent(random);
  const quote = quoteOf(random, actor.id, nowMs);
  return {
    ...metaOf(random, actor),
    type: "PlaceHold",
    quote_id: quote.quote_id,
    quote,
    ttl_ms: HOLD_TTL_MS,
    limits: { max_open_holds: null, max_booking_amount: null },
  };
}
