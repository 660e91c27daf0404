/**
 * How quotes were written before they were texts of fields: by position in a JSON array. Journals
 * and what lies in Redis may have such quotes; nothing writes them any more.
 */
import { dateOf, dayOf } from "./calendar.ts";
import type { Edition, FrozenQuote } from "./quote.ts";
import type { Mode } from "./supply.ts";

/** Begins a hash where it is told; stored texts leave it out. */
export const HASH_PREFIX = "sha256:";

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

/** The quote of a tuple, members in the order `freezeQuote` gives them. */
export function quoteOfTuple(tuple: QuoteTuple, tenantId: string, mode: Mode): FrozenQuote {
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
