/** Body of `POST|PUT /v1/admin/properties`. */
import { type Static, type TSchema, Type, TypeGuard } from "@sinclair/typebox";
import { AMOUNT_MAX } from "../../../engine/core/price/price-bounds.ts";
import { documented } from "../../http/schema/annotations.ts";
import { named } from "../../http/schema/answer-parts.ts";
import {
  Amount,
  BodyKey,
  both,
  CivilDate,
  ClockTime,
  called,
  closed,
  describedAs,
  Id,
  integer,
  oneOf,
  optionalOrNull,
  PropertyRef,
  shownAs,
  text,
  UUID_PATTERN,
  Uuid,
} from "../../http/schema/request-parts.ts";
import { KnownCurrency, nameOf } from "../../http/schema/text-formats.ts";
import { Address, Geo } from "./responses.ts";
import {
  CancellationKind,
  MealPlan,
  PropertyState,
  Rounding,
  TaxBasis,
  TaxCollection,
  Weekday,
} from "./vocabularies.ts";

/** Their sum stays below 65,535, so that the units of a night fit 16 bits. */
export const CAPACITY_MAX = 60_000;
export const OVERBOOKING_MAX = 5_000;

const Code = text(1, 64);
const Name = nameOf(200);
const Description = text(0, 10_000);
const BASIS_POINTS_MAX = 100_000;
/** More days than any stay is booked ahead. */
const Days = integer(0, 999);

const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Image = Type.String({
  pattern: "^https?://\\S+$",
  maxLength: 2048,
  description: "an absolute http or https URL",
});
const Amenities = Type.Optional(Type.Array(Code, { maxItems: 200 }));
const Images = Type.Optional(Type.Array(Image, { maxItems: 200 }));

const AddressSchema = shownAs(
  closed({
    line1: Name,
    line2: Type.Optional(Name),
    city: Name,
    region: Type.Optional(Name),
    country: Type.String({
      pattern: "^[A-Z]{2}$",
      description: "two uppercase letters (ISO 3166-1)",
    }),
    postal_code: Type.Optional(text(1, 32)),
  }),
  Address,
);

const GeoSchema = shownAs(
  closed({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  Geo,
);

const Policy = called(
  "PolicyInput",
  closed({
    version: documented(Code, "The highest version of a kind applies; text."),
    cancellation_kind: CancellationKind,
    free_cancellation_hours_before_checkin: integer(0, 17_520),
    cancellation_fee_pct_after_cutoff: Percent,
    child_policy_text: optionalOrNull(Description),
    no_show_fee_pct: Type.Optional(Percent),
  }),
);

export const TaxRule = both("TaxRule", "A tax or fee.", {
  code: Code,
  name: Name,
  kind: oneOf(["tax", "fee"]),
  basis: TaxBasis,
  rate_bps: Type.Optional(integer(0, BASIS_POINTS_MAX)),
  amount: documented(Type.Optional(Amount), "Minor units, for a fixed amount."),
  included_in_rate: Type.Boolean(),
  collect: TaxCollection,
  min_age: documented(Type.Optional(integer(0, 120)), "From this age on, in full years."),
  max_nights: documented(Type.Optional(integer(1, 90)), "Maximum number of nights charged."),
  valid_from: Type.Optional(CivilDate),
  valid_to: Type.Optional(CivilDate),
  order: documented(Type.Optional(integer(0, 1000)), "Order of calculation."),
  compound: documented(Type.Optional(Type.Boolean()), "True if it also applies to earlier taxes."),
});

export const ChildBand = both("ChildBand", "The price of children by age.", {
  min_age: documented(integer(0, 17), "From this age on, in full years."),
  max_age: documented(integer(0, 17), "Up to this age, in full years."),
  pricing: oneOf(["free", "percent_bps", "fixed_per_night"]),
  value: Type.Optional(integer(0, AMOUNT_MAX)),
  counts_toward_occupancy: Type.Boolean(),
  max_count: Type.Optional(integer(0, 20)),
});

export const Adjustment = both(
  "LengthOfStayAdjustment",
  "A discount or surcharge by length of stay.",
  {
    code: documented(Code, "Code, shown in the price."),
    label: Name,
    min_nights: documented(integer(1, 90), "For stays of at least this many nights."),
    bps: integer(-10_000, BASIS_POINTS_MAX),
  },
);

/** A percentage or an amount that is taken off, and when. */
export const Discount = both("Discount", "A price by stay length and day of the booking.", {
  code: documented(Code, "Code, shown in the price."),
  label: documented(Name, "Reason, shown in the price."),
  bps: documented(
    Type.Optional(integer(-10_000, -1)),
    "Basis points of a night that are added; -1500 is 15 % less.",
  ),
  amount: documented(
    Type.Optional(integer(-AMOUNT_MAX, -1)),
    "Minor units per night that are added, instead of `bps`.",
  ),
  booked_from: documented(Type.Optional(CivilDate), "First day of the booking, at the property."),
  booked_until: documented(Type.Optional(CivilDate), "Last day of the booking."),
  min_advance_days: documented(Type.Optional(Days), "Least days from the booking to check-in."),
  max_advance_days: documented(Type.Optional(Days), "Most days from the booking to check-in."),
  min_nights: documented(Type.Optional(integer(1, 90)), "For stays of at least this many nights."),
  max_nights: documented(Type.Optional(integer(1, 90)), "For stays of at most this many nights."),
  stay_from: documented(Type.Optional(CivilDate), "First night that is cheaper."),
  stay_until: documented(Type.Optional(CivilDate), "Last night that is cheaper."),
  days_of_week: documented(
    Type.Optional(Type.Array(Weekday, { minItems: 1, maxItems: 7 })),
    "Only nights of these weekdays are cheaper.",
  ),
});

const DERIVED = {
  bps: documented(
    Type.Optional(integer(-10_000, BASIS_POINTS_MAX)),
    "Basis points of the followed amount that are added; -1000 is 10 % less.",
  ),
  amount: documented(
    Type.Optional(integer(-AMOUNT_MAX, AMOUNT_MAX)),
    "Minor units per night that are added, instead of `bps`.",
  ),
};
const ROUND_TO_MAX = 1_000_000;
const RoundTo = documented(
  integer(1, ROUND_TO_MAX),
  "The result is a multiple of these minor units; 100 are whole euros.",
);

/** The rule of a derived rate plan, as stored. */
export const DERIVED_RATE = {
  rate_plan_id: Uuid,
  ...DERIVED,
  round_to: RoundTo,
  rounding: Rounding,
};
export const DerivedRate = named(
  "DerivedRate",
  "The plan that a rate plan follows, and how.",
  DERIVED_RATE,
);

const DerivedRateSchema = called(
  "DerivedRateInput",
  closed({
    rate_plan_id: describedAs(Id, "the id or code of another rate plan of the room type"),
    ...DERIVED,
    round_to: Type.Optional(RoundTo),
    rounding: Type.Optional(Rounding),
  }),
);

const RatePlanSchema = called(
  "RatePlanInput",
  closed({
    id: Type.Optional(Uuid),
    code: Code,
    name: Name,
    currency: KnownCurrency,
    base_rate_per_night: Amount,
    derived_from: optionalOrNull(DerivedRateSchema),
    meal_plan: MealPlan,
    cancellation_kind: CancellationKind,
    extra_adult_per_night: Type.Optional(Amount),
    adjustments: Type.Optional(Type.Array(Adjustment.asked, { maxItems: 100 })),
    discounts: Type.Optional(Type.Array(Discount.asked, { maxItems: 50 })),
  }),
);

const RoomTypeSchema = called(
  "RoomTypeInput",
  closed({
    id: Type.Optional(Uuid),
    code: Code,
    name: Name,
    description: optionalOrNull(Description),
    max_occupancy: integer(1, 40),
    included_occupancy: documented(Type.Optional(integer(1, 40)), "Guests covered by the rate."),
    bed_type: optionalOrNull(Name),
    floor_size_sqm: documented(optionalOrNull(Type.Number({ minimum: 0 })), "Square metres."),
    amenities: Amenities,
    images: Images,
    smoking_allowed: Type.Optional(Type.Boolean()),
    default_inventory: integer(0, CAPACITY_MAX),
    overbooking_limit: Type.Optional(integer(0, OVERBOOKING_MAX)),
    rate_plans: Type.Optional(Type.Array(RatePlanSchema, { maxItems: 200 })),
  }),
);

const LandmarkSchema = called(
  "LandmarkInput",
  closed({ name: Name, geo: optionalOrNull(GeoSchema) }),
);

export const PropertyBody = called(
  "PropertyInput",
  closed({
    id: Type.Optional(Uuid),
    slug: Type.String({
      pattern: `^(?!${UUID_PATTERN}$)[a-z0-9-]{1,120}$`,
      description: "1 to 120 lower-case letters, digits and hyphens, not a UUID",
    }),
    external_code: optionalOrNull(Code),
    name: Name,
    description: optionalOrNull(Description),
    star_rating: optionalOrNull(Type.Number({ minimum: 0, maximum: 7 })),
    address: AddressSchema,
    geo: optionalOrNull(GeoSchema),
    landmarks: Type.Optional(
      Type.Array(LandmarkSchema, {
        maxItems: 50,
        description:
          "at most 50 landmarks near the property, with coordinates if known: searches for them " +
          "find the property",
      }),
    ),
    default_currency: KnownCurrency,
    timezone: text(1, 64),
    amenities: Amenities,
    images: Images,
    phone: optionalOrNull(text(1, 64)),
    email: optionalOrNull(text(1, 254)),
    pets_allowed: Type.Optional(Type.Boolean()),
    number_of_rooms: optionalOrNull(integer(0, 1_000_000)),
    checkin_time: optionalOrNull(ClockTime),
    checkout_time: optionalOrNull(ClockTime),
    policies: Type.Optional(Type.Array(Policy, { maxItems: 100 })),
    tax_rules: Type.Optional(Type.Array(TaxRule.asked, { maxItems: 100 })),
    child_bands: Type.Optional(Type.Array(ChildBand.asked, { maxItems: 18 })),
    room_types: Type.Optional(Type.Array(RoomTypeSchema, { maxItems: 500 })),
    idempotency_key: BodyKey,
  }),
);
export type PropertyRequest = Static<typeof PropertyBody>;

const DryRun = Type.Optional(
  Type.Boolean({ description: "true: nothing is changed, the answer is a preview" }),
);

/** `POST /v1/admin/properties`. */
export const NewPropertyBody = called(
  "NewProperty",
  closed({ ...PropertyBody.properties, dry_run: DryRun }),
);
export type NewPropertyRequest = Static<typeof NewPropertyBody>;

/** `PUT /v1/admin/properties/{id}`: also accepts an edited answer of `GET`. */
export const ChangeBody = called(
  "PropertyReplacement",
  closed({
    ...NewPropertyBody.properties,
    state: Type.Optional(PropertyState),
    mode: Type.Optional(oneOf(["live", "test"])),
    version: documented(
      Type.Optional(integer(1, Number.MAX_SAFE_INTEGER)),
      "The version to change, as in `If-Match`; any by default.",
    ),
  }),
);
export type ChangeRequest = Static<typeof ChangeBody>;

/** A member of a patch: null removes it, an object is merged into the existing one. */
function patchOf(schema: TSchema): TSchema {
  if (TypeGuard.IsUnion(schema) && schema.anyOf.some((each) => TypeGuard.IsNull(each))) {
    return Type.Optional(schema);
  }
  const orNull = Type.Union([schema, Type.Null()]);
  if (TypeGuard.IsArray(schema)) {
    // A list is replaced whole and checked in the patched body: collecting all errors
    // within a union takes a second for a body of maximum size.
    const lists = Type.Union([Type.Array(Type.Unknown()), Type.Null()]);
    return Type.Optional(shownAs(lists, orNull));
  }
  const inner = TypeGuard.IsObject(schema)
    ? closed(Object.fromEntries(Object.entries(schema.properties).map(([n, s]) => [n, patchOf(s)])))
    : schema;
  return Type.Optional(Type.Union([inner, Type.Null()]));
}

const { idempotency_key, ...MEMBERS } = PropertyBody.properties;

/** `PATCH /v1/admin/properties/{id}`; the patched property is checked as a whole. */
export const PatchBody = called(
  "PropertyPatch",
  closed({
    ...Object.fromEntries(Object.entries(MEMBERS).map(([name, member]) => [name, patchOf(member)])),
    dry_run: DryRun,
    idempotency_key,
  }),
);
export type PropertyPatch = Readonly<Record<string, unknown>>;
export type PatchRequest = PropertyPatch & {
  readonly dry_run?: boolean;
  readonly idempotency_key?: string;
};

/** `POST /v1/admin/properties/{id}/promote`; a missing body counts as `{}`. */
export const PromoteBody = closed({
  dry_run: Type.Optional(Type.Boolean()),
  idempotency_key: BodyKey,
});

/** Properties per call. */
const PROMOTED_MAX = 10_000;

/** `POST /v1/admin/properties/promote`; a missing body counts as `{}`. */
export const PromoteManyBody = closed({
  property_ids: Type.Optional(
    Type.Array(PropertyRef, {
      minItems: 1,
      maxItems: PROMOTED_MAX,
      description: "ids or slugs; by default every draft that the caller has access to",
    }),
  ),
  dry_run: Type.Optional(Type.Boolean()),
  idempotency_key: BodyKey,
});
export type PromoteManyRequest = Static<typeof PromoteManyBody>;
