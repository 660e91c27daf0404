/**
 * A frozen quote by position instead of by name, as text: what lies in Redis, travels with every
 * hold and is journaled with it. Half the size means half the bytes to hash, write and sync, and
 * between quote and journal the text is passed on as it is. What follows from other members is left
 * out: check-out from the nights, the anchor's instant from its text, tenant and mode from what the
 * quote travels with.
 */
import { dateOf, dayOf } from "./calendar.ts";
import type { Edition, FrozenQuote } from "./quote.ts";
import type { Mode } from "./supply.ts";

const HASH_PREFIX = "sha256:";

/** Positions are append-only: stored quotes are read for ever. */
export type QuoteTuple = readonly [
  quoteId: string,
  agentId: string,
  propertyId: string,
  roomTypeId: string,
  ratePlanId: string,
  checkIn: string,
  adults: number,
  childAges: readonly number[],
  supplyVersion: number,
  policyVersion: string,
  currency: string,
  nightly: readonly number[],
  extraAdult: readonly number[] | number,
  sources: string,
  roomSubtotal: number,
  total: number,
  dueNow: number,
  dueAtProperty: number,
  tiers: readonly (readonly [untilMs: number, fee: number])[],
  feeAfter: number,
  feeNoShow: number,
  anchor: string,
  priceHash: string,
  policyHash: string,
  createdAt: number,
  expiresAt: number,
  /** Absent: 1. */
  edition?: Edition,
];

/** The quote as a tuple. */
export function encodeQuote(quote: FrozenQuote): QuoteTuple {
  const { fees } = quote;
  return [
    quote.quote_id,
    quote.agent_id,
    quote.property_id,
    quote.room_type_id,
    quote.rate_plan_id,
    quote.stay.check_in,
    quote.guests.adults,
    quote.guests.children.map((child) => child.age),
    quote.supply_version,
    quote.policy_version,
    quote.currency,
    quote.nightly,
    quote.extra_adult,
    quote.sources,
    quote.room_subtotal,
    quote.total,
    quote.due_now,
    quote.due_at_property,
    fees.tiers.map((tier) => [tier.until_ms, tier.fee] as const),
    fees.after,
    fees.no_show,
    fees.anchor,
    quote.price_hash.slice(HASH_PREFIX.length),
    quote.policy_hash.slice(HASH_PREFIX.length),
    quote.created_at,
    quote.expires_at,
    ...(quote.edition === undefined ? ([] as const) : ([quote.edition] as const)),
  ];
}

const texts = new WeakMap<FrozenQuote, string>();

/** The quote as JSON text of its tuple; a quote that was read from text keeps that text. */
export function quoteText(quote: FrozenQuote): string {
  return texts.get(quote) ?? JSON.stringify(encodeQuote(quote));
}

/** The quote of a text that `quoteText` made. */
export function readQuote(text: string, tenantId: string, mode: Mode): FrozenQuote {
  const quote = decodeQuote(JSON.parse(text) as QuoteTuple, tenantId, mode);
  texts.set(quote, text);
  return quote;
}

/** The property of a quote's text. */
export function propertyIdOf(text: string): string {
  return (JSON.parse(text) as QuoteTuple)[2];
}

/** The tuple as the quote it was made from, members in the order `freezeQuote` gives them. */
export function decodeQuote(tuple: QuoteTuple, tenantId: string, mode: Mode): FrozenQuote {
  const checkIn = tuple[5];
  const nightly = tuple[11];
  return {
    ...(tuple[26] === undefined ? {} : { edition: tuple[26] }),
    quote_id: tuple[0],
    tenant_id: tenantId,
    mode,
    agent_id: tuple[1],
    property_id: tuple[2],
    room_type_id: tuple[3],
    rate_plan_id: tuple[4],
    stay: { check_in: checkIn, check_out: dateOf(dayOf(checkIn) + nightly.length) },
    guests: { adults: tuple[6], children: tuple[7].map((age) => ({ age })) },
    supply_version: tuple[8],
    policy_version: tuple[9],
    currency: tuple[10],
    nightly,
    extra_adult: tuple[12],
    sources: tuple[13],
    room_subtotal: tuple[14],
    total: tuple[15],
    due_now: tuple[16],
    due_at_property: tuple[17],
    fees: {
      tiers: tuple[18].map(([until_ms, fee]) => ({ until_ms, fee })),
      after: tuple[19],
      no_show: tuple[20],
      anchor_ms: Date.parse(tuple[21]),
      anchor: tuple[21],
    },
    created_at: tuple[24],
    expires_at: tuple[25],
    price_hash: HASH_PREFIX + tuple[22],
    policy_hash: HASH_PREFIX + tuple[23],
  };
}
