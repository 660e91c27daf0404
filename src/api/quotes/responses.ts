/** Quotes with their frozen price and policy. */
import { Type } from "@sinclair/typebox";
import { RULE_REASONS } from "../../../engine/core/rules.ts";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import {
  CivilDate,
  Currency,
  freeForm,
  Hash,
  Id,
  Instant,
  Minor,
  named,
  orNull,
  Party,
  Stay,
  words,
} from "../../http/schema/answer-parts.ts";
import { DERIVED_RATE } from "../properties/requests.ts";
import {
  CancellationKind,
  RateSource,
  TaxBasis,
  TaxCollection,
} from "../properties/vocabularies.ts";
import { QuoteBody } from "./requests.ts";

const Night = named("NightPrice", "The price of one night and its parts.", {
  date: CivilDate,
  base: Minor,
  occupancy: Type.Integer({ description: "Charge for extra adults." }),
  children: Type.Integer({ description: "Charge for children." }),
  adjustments: Type.Array(
    named("PriceAdjustment", "A discount or surcharge by the stay or its booking.", {
      code: documented(Type.String(), "Code."),
      label: documented(Type.String(), "Text on the guest's bill."),
      amount: Minor,
    }),
  ),
  subtotal: Minor,
  rate_source: RateSource,
});

const TAX_FIELDS = {
  code: Type.String(),
  name: Type.String(),
  basis: TaxBasis,
  rate_bps: Type.Optional(Type.Integer({ description: "Basis points, where it is a percentage." })),
  unit_amount: Type.Optional(Minor),
  included_in_rate: Type.Boolean(),
  collect: TaxCollection,
  amount: Minor,
};

export const Display = named(
  "DisplayTotal",
  "The total in the requested currency; never charged.",
  {
    currency: Currency,
    total: Minor,
    fx_rate: Type.String({ description: "Decimal text." }),
    fx_as_of: Instant,
    source: words(["admin_table"]),
  },
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
    taxes: Type.Array(named("TaxLine", "A tax of this stay.", TAX_FIELDS)),
    fees: Type.Array(
      named("FeeLine", "A fee of this stay.", {
        ...TAX_FIELDS,
        mandatory: documented(Type.Boolean(), "Whether it applies to every guest."),
      }),
    ),
    total: Minor,
    due_now: Type.Integer({ description: "Captured at booking, minor units." }),
    due_later: Type.Array(freeForm("A later instalment."), { description: "Empty today." }),
    due_at_property: Minor,
    adjustment: Type.Optional(
      Type.Integer({
        description:
          "What the property has added to the total, or taken off, in a modification; minor units.",
      }),
    ),
    per_night_average: Minor,
    rounding: words(["half_up_per_line"]),
    derived_from: Type.Optional(
      named("DerivedPrice", "Of a derived plan: how its nights follow another plan.", {
        ...DERIVED_RATE,
        name: documented(Type.String(), "Display name of the followed plan."),
      }),
    ),
    hash: Hash,
    display: Type.Optional(orNull(Display)),
  },
);

export const Refundability = vocabulary(
  "Refundability",
  ["refundable", "partially_refundable", "non_refundable"],
  "The refundable part of the prepaid amount if cancelled now: all, part or nothing.",
);

const Penalty = named("Penalty", "The retained part of the prepaid amount.", {
  kind: documented(words(["none", "percentage"]), "Whether a fee is kept."),
  bps: Type.Optional(Type.Integer({ description: "Basis points of the prepaid amount." })),
});

const LATE =
  "The fee of a cancellation after the last tier, before `cutoff_at` (the anchor). In a quote " +
  "made after the anchor it is the fee of `no_show`, and `cutoff_at` is null.";

export const PolicySnapshot = named(
  "PolicySnapshot",
  "Cancellation terms frozen with the quote. Of `tiers` and then `after_last_tier`, the first " +
    "row whose `cutoff_at` is in the future applies; from `anchor` on, `no_show` applies.",
  {
    policy_version: documented(Type.String(), "The frozen version."),
    cancellation_kind: CancellationKind,
    refundability: Refundability,
    timezone: Type.String(),
    anchor: Type.String({ format: "date-time", description: "Check-in with its local offset." }),
    tiers: Type.Array(
      named("CancellationTier", "The fee of a cancellation up to `cutoff_at`.", {
        until: Type.String({ description: "ISO 8601 duration before the anchor." }),
        cutoff_at: Instant,
        penalty: Penalty,
        fee: Minor,
        refund: Minor,
      }),
    ),
    after_last_tier: named("LateCancellation", LATE, {
      cutoff_at: orNull(Instant),
      penalty: Penalty,
      fee: Minor,
      refund: Minor,
    }),
    no_show: named("NoShowTerms", "The fee of a cancellation from `anchor` on, or of a no-show.", {
      penalty: Penalty,
      fee: Minor,
    }),
    fee_basis: words(["prepaid_total"]),
    modification: named("ModificationRule", "Whether and until when the booking can be changed.", {
      allowed_until: orNull(Instant),
      rule: documented(words(["same_length_same_total", "none"]), "Rule for changes."),
    }),
    child_policy_text: orNull(Type.String()),
    description: documented(Type.String(), "The terms in a sentence for the traveler."),
    captured_at: Instant,
    hash: Hash,
  },
);

const BLOCKING_REASONS = [
  "no_vacancy",
  ...RULE_REASONS,
  ...(["occupancy_exceeded", "children_not_supported"] as const),
  ...(["ceiling_reached", "property_not_live"] as const),
] as const;

export const Blocking = named("Blocking", "A night that cannot be sold, and why.", {
  date: CivilDate,
  reason: documented(words(BLOCKING_REASONS), "Why the night cannot be sold."),
  capacity: Type.Optional(Type.Integer()),
  sold: Type.Optional(Type.Integer()),
  held: Type.Optional(Type.Integer()),
  ceiling: Type.Optional(Type.Integer()),
  used: documented(Type.Optional(Type.Integer()), "Units sold and held under the ceiling."),
  released: Type.Optional(
    Type.Literal(true, { description: "The ceiling's unsold units were released." }),
  ),
  limit: documented(Type.Optional(Type.Integer()), "The maximum or minimum."),
  pattern: Type.Optional(
    Type.String({
      description: "Of `stay_pattern`: Y or N per number of nights; the last for longer stays too.",
    }),
  ),
});

export const Alternative = named(
  "Alternative",
  "An offer that can be held instead: `quote` is a body for `POST /v1/quotes`.",
  {
    kind: words(["dates", "room_type"]),
    sellable: documented(Type.Integer({ minimum: 1 }), "Units that can be held now."),
    quote: QuoteBody,
  },
);

const Availability = named("Availability", "Units that can be held now, or why none can.", {
  sellable: documented(Type.Integer({ minimum: 0 }), "Units that can be held now."),
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
