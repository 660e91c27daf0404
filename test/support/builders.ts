/**
 * Smallest valid supply, quotes and commands, for tests that care about one field at a time. Every
 * builder takes overrides; ids and keys are readable rather than random.
 */
import { dateOf, dayOf, instantIso } from "../../engine/core/calendar.ts";
import type { StayChange } from "../../engine/core/change-terms.ts";
import type {
  ArchiveProperty,
  BeginBooking,
  CancelAtDesk,
  CancelBooking,
  CancelByGuest,
  CommandMeta,
  CreateProperty,
  DeleteProperty,
  ExtendHold,
  ModifyBooking,
  PlaceHold,
  PromoteProperty,
  RecordDispute,
  RecordPaymentResult,
  RecordRefundResult,
  RefundPayment,
  ReleaseHold,
  ReplaceProperty,
  RetryRefund,
  SettleRefundElsewhere,
  SuspendProperty,
  UpdateAri,
} from "../../engine/core/commands.ts";
import type { FrozenQuote, Stay } from "../../engine/core/price/quote.ts";
import type {
  NamedAri,
  PolicyTerms,
  PropertyTree,
  RatePlan,
  RoomType,
} from "../../engine/core/supply.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** 2026-09-01T12:00:00Z: the instant most tests happen at. */
export const NOON = Date.UTC(2026, 8, 1, 12);
export const TENANT = "00000000-0000-4000-8000-00000000000a";
export const REALM = { tenant_id: TENANT, mode: "live" } as const;
export const OTHER_TENANT = "00000000-0000-4000-8000-00000000000b";
export const AGENT = "agt_ann";
export const OTHER_AGENT = "agt_bob";
export const HOLD_TTL_MS = 900_000;
export const QUOTE_TTL_MS = 1_800_000;

/** Free until 48 h before check-in, then half, all of it for a no-show. */
export function policyTerms(over: Partial<PolicyTerms> = {}): PolicyTerms {
  return {
    version: "2026-03",
    cancellation_kind: "free_until_cutoff",
    free_cancellation_hours_before_checkin: 48,
    cancellation_fee_pct_after_cutoff: 50,
    child_policy_text: null,
    no_show_fee_pct: 100,
    ...over,
  };
}

export function ratePlan(over: Partial<RatePlan> = {}): RatePlan {
  return {
    id: "plan-flex",
    code: "FLEX",
    name: "Flexible",
    currency: "EUR",
    base_rate_per_night: 10_000,
    meal_plan: "breakfast",
    cancellation_kind: "free_until_cutoff",
    extra_adult_per_night: 0,
    adjustments: [],
    ...over,
  };
}

/** A double for four with two units a night. */
export function roomType(over: Partial<RoomType> = {}): RoomType {
  return {
    id: "room-double",
    code: "DBL",
    name: "Double",
    description: null,
    max_occupancy: 4,
    included_occupancy: 2,
    bed_type: null,
    floor_size_sqm: null,
    amenities: [],
    images: [],
    smoking_allowed: false,
    default_inventory: 2,
    overbooking_limit: 0,
    rate_plans: [ratePlan()],
    ...over,
  };
}

/** A tree with everything that promotion to live asks for. */
export function propertyTree(over: Partial<PropertyTree> = {}): PropertyTree {
  return {
    id: "property-one",
    slug: "one",
    name: "One",
    description: null,
    star_rating: null,
    address: { line1: "1 Calle Mayor", city: "Madrid", country: "ES" },
    geo: { lat: 40.4, lng: -3.7 },
    default_currency: "EUR",
    timezone: "Europe/Madrid",
    amenities: ["wifi"],
    images: ["https://example.com/1.jpg"],
    phone: "+34931234567",
    email: "desk@example.com",
    pets_allowed: false,
    number_of_rooms: null,
    checkin_time: "15:00",
    checkout_time: "11:00",
    policies: [policyTerms()],
    tax_rules: [
      {
        code: "VAT",
        name: "VAT 10%",
        kind: "tax",
        basis: "percent",
        rate_bps: 1_000,
        included_in_rate: true,
        collect: "prepaid",
      },
    ],
    child_bands: [],
    room_types: [roomType()],
    ...over,
  };
}

/** `nights` nights from `inDays` days after `NOON`'s date. */
export function stayIn(inDays: number, nights: number): Stay {
  const first = Math.floor(NOON / DAY_MS) + inDays;
  return { check_in: dateOf(first), check_out: dateOf(first + nights) };
}

let made = 0;

/** 32 hex digits that no other call in this process returns. */
export function freshHex(): string {
  made += 1;
  // In every word: ids are made of some of them only.
  return made.toString(16).padStart(8, "0").repeat(4);
}

/** A quote of `AGENT` for the tree's first room type and plan, all of it prepaid. */
export function frozenQuote(tree: PropertyTree, over: Partial<FrozenQuote> = {}): FrozenQuote {
  const room = tree.room_types[0]!;
  const plan = room.rate_plans[0]!;
  const stay = over.stay ?? stayIn(30, 2);
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const total = over.total ?? plan.base_rate_per_night * nights;
  const dueNow = over.due_now ?? total;
  const anchorMs = checkInDay * DAY_MS + 13 * HOUR_MS;
  const createdAt = over.created_at ?? NOON;
  return {
    quote_id: `qt_${freshHex()}`,
    tenant_id: TENANT,
    mode: "live",
    agent_id: AGENT,
    property_id: tree.id,
    room_type_id: room.id,
    rate_plan_id: plan.id,
    stay,
    guests: { adults: 2, children: [] },
    supply_version: 1,
    policy_version: "2026-03",
    currency: plan.currency,
    nightly: new Array<number>(nights).fill(plan.base_rate_per_night),
    extra_adult: 0,
    sources: "b".repeat(nights),
    room_subtotal: total,
    total,
    due_now: dueNow,
    due_at_property: total - dueNow,
    fees: {
      tiers: [{ until_ms: anchorMs - 48 * HOUR_MS, fee: 0 }],
      after: Math.round(dueNow / 2),
      no_show: dueNow,
      anchor_ms: anchorMs,
      anchor: instantIso(anchorMs),
    },
    created_at: createdAt,
    expires_at: createdAt + QUOTE_TTL_MS,
    price_hash: `sha256:${"a".repeat(64)}`,
    policy_hash: `sha256:${"b".repeat(64)}`,
    ...over,
  };
}

/** What every command carries; keyed, by `AGENT` of `TENANT`, mode live. */
export function commandMeta(over: Partial<CommandMeta> = {}): CommandMeta {
  return {
    tenant_id: TENANT,
    mode: "live",
    actor: { kind: "agent", id: AGENT },
    trace_id: `trace-${freshHex()}`,
    docs: "https://docs.example.com",
    random: freshHex(),
    key: freshHex(),
    body_hash: "1".repeat(32),
    ...over,
  };
}

const OPERATOR = { kind: "operator", id: "agt_ops" } as const;
const WORKER = { kind: "system", id: "payments" } as const;

type Unkeyed = Omit<CommandMeta, "key" | "body_hash">;

function workerMeta(over: Partial<CommandMeta>): Unkeyed {
  const { key: _key, body_hash: _hash, ...meta } = commandMeta({ actor: WORKER, ...over });
  return meta;
}

export function createProperty(
  tree: PropertyTree,
  over: Partial<CreateProperty> = {},
): CreateProperty {
  return {
    ...commandMeta({ actor: OPERATOR }),
    type: "CreateProperty",
    tree,
    payments_configured: true,
    ...over,
  };
}

export function promoteProperty(
  tree: PropertyTree,
  over: Partial<PromoteProperty> = {},
): PromoteProperty {
  return {
    ...commandMeta({ actor: OPERATOR }),
    type: "PromoteProperty",
    property_id: tree.id,
    dry_run: false,
    payments_configured: true,
    ...over,
  };
}

/** Of the second version, the one that a promotion makes. */
export function replaceProperty(
  tree: PropertyTree,
  over: Partial<ReplaceProperty> = {},
): ReplaceProperty {
  return {
    ...commandMeta({ actor: OPERATOR }),
    type: "ReplaceProperty",
    property_id: tree.id,
    tree,
    base_version: 2,
    expected_version: null,
    payments_configured: true,
    dry_run: false,
    ...over,
  };
}

export function deleteProperty(
  tree: PropertyTree,
  over: Partial<DeleteProperty> = {},
): DeleteProperty {
  const named = { property_id: tree.id, expected_version: null };
  return { ...commandMeta({ actor: OPERATOR }), type: "DeleteProperty", ...named, ...over };
}

export function suspendProperty(
  tree: PropertyTree,
  over: Partial<SuspendProperty> = {},
): SuspendProperty {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "SuspendProperty", property_id: tree.id, ...over };
}

export function archiveProperty(
  tree: PropertyTree,
  over: Partial<ArchiveProperty> = {},
): ArchiveProperty {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "ArchiveProperty", property_id: tree.id, ...over };
}

export function updateAri(
  tree: PropertyTree,
  ari: NamedAri,
  over: Partial<UpdateAri> = {},
): UpdateAri {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "UpdateAri", property_id: tree.id, ari, ...over };
}

export function placeHold(quote: FrozenQuote, over: Partial<PlaceHold> = {}): PlaceHold {
  return {
    ...commandMeta(),
    type: "PlaceHold",
    quote_id: quote.quote_id,
    quote,
    ttl_ms: HOLD_TTL_MS,
    limits: { max_open_holds: null, max_booking_amount: null },
    ...over,
  };
}

export function extendHold(holdId: string, over: Partial<ExtendHold> = {}): ExtendHold {
  return { ...commandMeta(), type: "ExtendHold", hold_id: holdId, ttl_ms: HOLD_TTL_MS, ...over };
}

export function releaseHold(holdId: string, over: Partial<ReleaseHold> = {}): ReleaseHold {
  return { ...commandMeta(), type: "ReleaseHold", hold_id: holdId, ...over };
}

export function beginBooking(
  hold: { readonly hold_id: string; readonly quote_id: string },
  over: Partial<BeginBooking> = {},
): BeginBooking {
  return {
    ...commandMeta(),
    type: "BeginBooking",
    hold_id: hold.hold_id,
    quote_id: hold.quote_id,
    limits: { max_open_holds: null, max_booking_amount: null },
    consent: { claims: {} },
    traveler: { hash: "traveler-1", iss: "https://id.example.com" },
    method: "card",
    encrypted: { guest: "sealed" },
    wrapped_key: "wrapped",
    guest: { email: "e".repeat(32), name: "f".repeat(32) },
    ...over,
  };
}

export function cancelBooking(bookingId: string, over: Partial<CancelBooking> = {}): CancelBooking {
  return {
    ...commandMeta(),
    type: "CancelBooking",
    booking_id: bookingId,
    consent: { claims: {} },
    traveler: { hash: "traveler-1", iss: "https://id.example.com" },
    ...over,
  };
}

/** A command of the desk, by an operator. */
export function atDesk<T extends "CheckInGuest" | "UndoCheckIn" | "RecordNoShow" | "CompleteStay">(
  type: T,
  bookingId: string,
  over: Partial<CommandMeta> = {},
) {
  return { ...commandMeta({ actor: OPERATOR }), type, booking_id: bookingId, ...over };
}

export function cancelAtDesk(bookingId: string, over: Partial<CancelAtDesk> = {}): CancelAtDesk {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "CancelAtDesk", booking_id: bookingId, waives_fee: false, ...over };
}

/** A cancellation by the guest of the booking. */
export function cancelByGuest(
  bookingId: string,
  expected_refund: number,
  over: Partial<CancelByGuest> = {},
): CancelByGuest {
  const meta = commandMeta({ actor: { kind: "guest", id: bookingId } });
  return { ...meta, type: "CancelByGuest", booking_id: bookingId, expected_refund, ...over };
}

export function refundPayment(
  bookingId: string,
  amount: number | null,
  over: Partial<RefundPayment> = {},
): RefundPayment {
  const meta = commandMeta({ actor: OPERATOR });
  const asked = { booking_id: bookingId, amount, reason: "goodwill" } as const;
  return { ...meta, type: "RefundPayment", ...asked, ...over };
}

type ModifyOver = Partial<Omit<ModifyBooking, "stay">> & { readonly stay?: Partial<StayChange> };

/** A change to the stay of a quote, at the same price; of the guest alone without one. */
export function modifyBooking(
  bookingId: string,
  quote: FrozenQuote | null,
  { stay, ...over }: ModifyOver = {},
): ModifyBooking {
  const meta = commandMeta({ actor: OPERATOR });
  const versions = { base_version: 1, expected_version: null };
  return {
    ...{ ...meta, type: "ModifyBooking", booking_id: bookingId, ...versions },
    stay: quote && stayChange(quote, stay),
    ...over,
  };
}

function stayChange(quote: FrozenQuote, over: Partial<StayChange> = {}): StayChange {
  const { property_id: hotel_id, room_type_id, rate_plan_id, stay, guests, total } = quote;
  return {
    request: { hotel_id, room_type_id, rate_plan_id, stay, guests },
    ...{ quote, difference: null, priced: { total, nights: quote.nightly.length } },
    allowed_until_ms: Number.MAX_SAFE_INTEGER,
    ...over,
  };
}

/** A failed refund once more. */
export function retryRefund(refundId: string): RetryRefund {
  return { ...commandMeta({ actor: OPERATOR }), type: "RetryRefund", refund_id: refundId };
}

/** A failed refund that was given back in cash. */
export function settleElsewhere(refundId: string): SettleRefundElsewhere {
  const meta = commandMeta({ actor: OPERATOR });
  return { ...meta, type: "SettleRefundElsewhere", refund_id: refundId, method: "cash" };
}

export function paymentResult(
  paymentId: string,
  result: RecordPaymentResult["result"],
  over: Partial<CommandMeta> = {},
): RecordPaymentResult {
  return { ...workerMeta(over), type: "RecordPaymentResult", payment_id: paymentId, result };
}

/** A dispute about a payment in this state, of the whole 8,001 unless told. */
export function disputeIn(
  state: RecordDispute["state"],
  paymentId: string,
  over: Partial<RecordDispute> = {},
): RecordDispute {
  return {
    ...{ ...workerMeta(over), type: "RecordDispute", payment_id: paymentId, state },
    ...{ dispute_id: "dp_1", amount: 8_001, reason: "fraudulent", due_by: null },
    ...over,
  };
}

export function refundResult(
  refundId: string,
  result: RecordRefundResult["result"],
  over: Partial<CommandMeta> = {},
): RecordRefundResult {
  return { ...workerMeta(over), type: "RecordRefundResult", refund_id: refundId, result };
}
