/** Properties as agents see them. */
import { Type } from "@sinclair/typebox";
import { documented } from "../../http/schema/annotations.ts";

import {
  Currency,
  Instant,
  listOf,
  Minor,
  named,
  orNull,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { CancellationKind, MealPlan } from "./vocabularies.ts";

const ADDRESS = {
  line1: Type.String({ minLength: 1 }),
  line2: Type.Optional(Type.String()),
  city: Type.String({ minLength: 1 }),
  region: Type.Optional(Type.String()),
  country: Type.String({ minLength: 2, maxLength: 2, description: "ISO 3166-1 alpha-2." }),
  postal_code: Type.Optional(Type.String()),
};

export const Address = named("Address", "Postal address.", ADDRESS);

export const Geo = named("Geo", "Coordinates in degrees (WGS 84).", {
  lat: documented(Type.Number({ minimum: -90, maximum: 90 }), "Latitude, degrees north."),
  lng: documented(Type.Number({ minimum: -180, maximum: 180 }), "Longitude, degrees east."),
});

const LIST_FIELDS = {
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  description: orNull(Type.String()),
  star_rating: orNull(Type.Number()),
  address: Address,
  geo: orNull(Geo),
  default_currency: Currency,
  timezone: Type.String({ description: "IANA zone." }),
};

export const PropertyOut = named("PropertyOut", "A property in a list.", LIST_FIELDS);

const Display = named("DisplayRate", "The rate in the requested currency; never charged.", {
  currency: Currency,
  base_rate_per_night: Minor,
  fx_rate: Type.String({ description: "Decimal text." }),
  fx_as_of: orNull(Instant),
  source: words(["admin_table"]),
});

export const RatePlan = named("RatePlan", "A price for a room type, with its terms.", {
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  currency: Currency,
  base_rate_per_night: Minor,
  meal_plan: MealPlan,
  cancellation_kind: CancellationKind,
  display: Type.Optional(orNull(Display)),
});

export const RoomType = named("RoomType", "Equal rooms of a property.", {
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  description: orNull(Type.String()),
  max_occupancy: Type.Integer(),
  bed_type: orNull(Type.String()),
  floor_size_sqm: orNull(Type.Number({ description: "Square metres." })),
  amenities: Type.Array(Type.String()),
  images: Type.Array(Type.String({ format: "uri" })),
  smoking_allowed: Type.Boolean(),
  default_inventory: Type.Integer(),
  rate_plans: Type.Array(RatePlan),
});

const DETAIL_FIELDS = { ...LIST_FIELDS, room_types: Type.Array(RoomType) };

const Policy = named("Policy", "Cancellation terms; a quote freezes them.", {
  version: documented(Type.String(), "The highest version of a kind applies; text."),
  cancellation_kind: CancellationKind,
  free_cancellation_hours_before_checkin: Type.Integer(),
  cancellation_fee_pct_after_cutoff: Type.Number(),
  child_policy_text: orNull(Type.String()),
});

const FULL_FIELDS = {
  ...DETAIL_FIELDS,
  amenities: Type.Array(Type.String()),
  images: Type.Array(Type.String({ format: "uri" })),
  phone: orNull(Type.String({ description: "E.164." })),
  email: orNull(Type.String({ description: "The property's internal address, not for guests." })),
  pets_allowed: Type.Boolean(),
  number_of_rooms: orNull(Type.Integer()),
  checkin_time: orNull(Type.String({ description: "Local `HH:mm`." })),
  checkout_time: orNull(Type.String({ description: "Local `HH:mm`." })),
  policies: Type.Array(Policy),
};

export const PropertyList = listOf(PropertyOut);

export const PropertyFullOut = named(
  "PropertyFullOut",
  "A property with all published facts.",
  FULL_FIELDS,
);

/** With `?full=true` the detail route answers the full shape. */
export const PropertyDetailOut = named(
  "PropertyDetailOut",
  "A property with room types and rate plans; with `?full=true` all fields of `PropertyFullOut`.",
  {
    ...DETAIL_FIELDS,
    ...Type.Partial(Type.Object(FULL_FIELDS)).properties,
    ...DETAIL_FIELDS,
  },
);
