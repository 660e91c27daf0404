/** Quotes with their frozen price and policy, and holds (domain §0, §2, §3; rules §6). */
import { Type } from "@sinclair/typebox";
import {
  CivilDate,
  Currency,
  freeForm,
  Hash,
  Id,
  Instant,
  Minor,
  Money,
  named,
  orNull,
  Party,
  Seq,
  Stay,
  words,
} from "../../http/schema/answer-parts.ts";
import { Alternative, Blocking, CANCELLATION_KINDS } from "../properties/answers.ts";

const Night = Type.Object({
  date: CivilDate,
  base: Minor,
  occupancy: Type.Integer({ description: "Charge for extra adults." }),
  children: Type.Integer({ description: "Charge for children." }),
  adjustments: Type.Array(
    Type.Object({ code: Type.String(), label: Type.String(), amount: Minor }),
  ),
  subtotal: Minor,
  rate_source: words(["date_override", "base"]),
});

const TAX_FIELDS = {
  code: Type.String(),
  name: Type.String(),
  basis: words(["percent", "per_stay", "per_night", "per_person", "per_person_per_night"]),
  rate_bps: Type.Optional(Type.Integer({ description: "Basis points, where it is a percentage." })),
  unit_amount: Type.Optional(Minor),
  included_in_rate: Type.Boolean(),
  collect: words(["prepaid", "at_property"]),
  amount: Minor,
};

const Display = Type.Object(
  {
    currency: Currency,
    total: Minor,
    fx_rate: Type.String({ description: "Decimal text." }),
    fx_as_of: Instant,
    source: words(["admin_table"]),
  },
  { description: "The total in the currency that was asked for; never what is charged." },
);

export const PriceBreakdown = named(
  "PriceBreakdown",
  "`room_subtotal` + taxes and fees that are not included = `total` = `due_now` + " +
    "`due_at_property`.",
  {
    currency: Currency,
    minor_unit: Type.Integer({ description: "Decimal places of the currency." }),
    nights: Type.Array(Night),
    room_subtotal: Minor,
    taxes: Type.Array(Type.Object(TAX_FIELDS)),
    fees: Type.Array(Type.Object({ ...TAX_FIELDS, mandatory: Type.Boolean() })),
    total: Minor,
    due_now: Type.Integer({ description: "Captured at booking, minor units." }),
    due_later: Type.Array(freeForm("A later instalment."), { description: "Empty today." }),
    due_at_property: Minor,
    per_night_average: Minor,
    rounding: words(["half_up_per_line"]),
    hash: Hash,
    display: Type.Optional(orNull(Display)),
  },
);

const Penalty = Type.Object({
  kind: words(["none", "percentage"]),
  bps: Type.Optional(Type.Integer({ description: "Basis points of what is prepaid." })),
});

export const PolicySnapshot = named(
  "PolicySnapshot",
  "Cancellation terms as frozen with the quote; the first tier whose `cutoff_at` is still ahead " +
    "applies.",
  {
    policy_version: Type.String(),
    cancellation_kind: words(CANCELLATION_KINDS),
    refundability: words(["refundable", "partially_refundable", "non_refundable"]),
    timezone: Type.String(),
    anchor: Type.String({ format: "date-time", description: "Check-in with its local offset." }),
    tiers: Type.Array(
      Type.Object({
        until: Type.String({ description: "ISO 8601 duration before the anchor." }),
        cutoff_at: Instant,
        penalty: Penalty,
        fee: Minor,
        refund: Minor,
      }),
    ),
    after_last_tier: Type.Object({ penalty: Penalty, fee: Minor, refund: Minor }),
    no_show: Type.Object({ penalty: Penalty, fee: Minor }),
    fee_basis: words(["prepaid_total"]),
    modification: Type.Object({
      allowed_until: orNull(Instant),
      rule: words(["same_length_same_total", "none"]),
    }),
    child_policy_text: orNull(Type.String()),
    description: Type.String(),
    captured_at: Instant,
    hash: Hash,
  },
);

const Availability = named("Availability", "What can be held now, or why nothing can.", {
  sellable: Type.Integer({ minimum: 0 }),
  blocking: Type.Optional(Type.Array(Blocking)),
  alternatives: Type.Optional(Type.Array(Alternative)),
});

export const Quote = named("Quote", "Price and terms, frozen until `expires_at`.", {
  quote_id: Id,
  hotel_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  price_breakdown: PriceBreakdown,
  policy_snapshot: PolicySnapshot,
  availability: Availability,
  expires_at: Instant,
});

const HOLD_FIELDS = {
  hold_id: Id,
  quote_id: Id,
  state: words(["held"]),
  expires_at: Instant,
  property_id: Id,
  room_type_id: Id,
  stay: Stay,
  seq: Seq,
};

export const Hold = named("Hold", "A room out of sale until `expires_at`.", {
  ...HOLD_FIELDS,
  other_live_holds: Type.Array(Id, {
    description: "Other live holds of the caller on the same quote, newest first.",
  }),
});

export const ExtendedHold = named("ExtendedHold", "A hold with its new `expires_at`.", {
  ...HOLD_FIELDS,
  extensions: Type.Integer({ minimum: 1, maximum: 2 }),
});

export const ReleasedHold = named("ReleasedHold", "A hold that was given back.", {
  hold_id: Id,
  state: words(["released"]),
  released_at: Instant,
});

const HOLD_STATES = ["held", "confirming", "consumed", "released", "expired"] as const;
export const PAYMENT_STATES = [
  ...(["pending", "authorized", "captured", "partially_refunded", "refunded"] as const),
  ...(["failed", "voided", "unknown", "disputed"] as const),
] as const;

export const HoldDetail = named("HoldDetail", "A hold in whatever state it is.", {
  hold_id: Id,
  quote_id: Id,
  state: words(HOLD_STATES),
  expires_at: Instant,
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  total: Money,
  extensions: Type.Integer({ minimum: 0, maximum: 2 }),
  created_at: Instant,
  ended_at: orNull(Instant),
  booking_id: orNull(Id),
  payment: orNull(Type.Object({ payment_id: Id, state: words(PAYMENT_STATES) })),
});
