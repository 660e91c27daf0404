/** What operators get back: properties in every state, promotions, imports. */
import { Type } from "@sinclair/typebox";

import {
  CivilDate,
  Currency,
  freeForm,
  Id,
  listOf,
  Minor,
  Mode,
  named,
  orNull,
  Seq,
  Uuid,
  Version,
  words,
} from "../../http/schema/answer-parts.ts";
import { Address, CANCELLATION_KINDS, Geo, MEAL_PLANS } from "./answers.ts";

const STATES = ["draft", "live", "suspended", "archived"] as const;

const Code = Type.String();

const Name = Type.String();

export const AdminPropertyList = listOf(
  named("AdminPropertyItem", "A property of the tenant, whatever its state.", {
    property_id: Uuid,
    slug: Type.String(),
    name: Name,
    state: words(STATES),
    mode: Mode,
    version: Version,
  }),
);

export const CreatedProperty = named("CreatedProperty", "A draft; promote it to sell it.", {
  property_id: Uuid,
  slug: Type.String(),
  state: words(["draft"]),
  mode: Mode,
  version: Version,
  seq: Seq,
});

const TaxRule = named("TaxRule", "A tax or fee.", {
  code: Code,
  name: Name,
  kind: words(["tax", "fee"]),
  basis: words(["percent", "per_stay", "per_night", "per_person", "per_person_per_night"]),
  rate_bps: Type.Optional(Type.Integer()),
  amount: Type.Optional(Minor),
  included_in_rate: Type.Boolean(),
  collect: words(["prepaid", "at_property"]),
  min_age: Type.Optional(Type.Integer()),
  max_nights: Type.Optional(Type.Integer()),
  valid_from: Type.Optional(CivilDate),
  valid_to: Type.Optional(CivilDate),
  order: Type.Optional(Type.Integer()),
  compound: Type.Optional(Type.Boolean()),
});

const ChildBand = named("ChildBand", "What children of some ages cost.", {
  min_age: Type.Integer(),
  max_age: Type.Integer(),
  pricing: words(["free", "percent_bps", "fixed_per_night"]),
  value: Type.Optional(Type.Integer()),
  counts_toward_occupancy: Type.Boolean(),
  max_count: Type.Optional(Type.Integer()),
});

const AdminRatePlan = named("AdminRatePlan", "A rate plan with all its terms.", {
  id: Uuid,
  code: Code,
  name: Name,
  currency: Currency,
  base_rate_per_night: Minor,
  meal_plan: words(MEAL_PLANS),
  cancellation_kind: words(CANCELLATION_KINDS),
  extra_adult_per_night: Minor,
  adjustments: Type.Array(
    Type.Object({ code: Code, label: Name, min_nights: Type.Integer(), bps: Type.Integer() }),
  ),
});

const AdminRoomType = named("AdminRoomType", "A room type with all its terms.", {
  id: Uuid,
  code: Code,
  name: Name,
  description: orNull(Type.String()),
  max_occupancy: Type.Integer(),
  included_occupancy: Type.Integer(),
  bed_type: orNull(Type.String()),
  floor_size_sqm: orNull(Type.Number()),
  amenities: Type.Array(Type.String()),
  images: Type.Array(Type.String()),
  smoking_allowed: Type.Boolean(),
  default_inventory: Type.Integer(),
  overbooking_limit: Type.Integer(),
  rate_plans: Type.Array(AdminRatePlan),
});

export const AdminProperty = named("AdminProperty", "A property as it was stored.", {
  id: Uuid,
  slug: Type.String(),
  name: Name,
  description: orNull(Type.String()),
  star_rating: orNull(Type.Number()),
  address: Address,
  geo: orNull(Geo),
  default_currency: Currency,
  timezone: Type.String(),
  amenities: Type.Array(Type.String()),
  images: Type.Array(Type.String()),
  phone: orNull(Type.String()),
  email: orNull(Type.String()),
  pets_allowed: Type.Boolean(),
  number_of_rooms: orNull(Type.Integer()),
  checkin_time: orNull(Type.String()),
  checkout_time: orNull(Type.String()),
  policies: Type.Array(
    Type.Object({
      version: Type.String(),
      cancellation_kind: words(CANCELLATION_KINDS),
      free_cancellation_hours_before_checkin: Type.Integer(),
      cancellation_fee_pct_after_cutoff: Type.Number(),
      child_policy_text: orNull(Type.String()),
      no_show_fee_pct: Type.Number(),
    }),
  ),
  tax_rules: Type.Array(TaxRule),
  child_bands: Type.Array(ChildBand),
  room_types: Type.Array(AdminRoomType),
  state: words(STATES),
  mode: Mode,
  version: Version,
});

const PromotionReason = named("PromotionReason", "What stands against going live, or should.", {
  code: Type.String(),
  path: Type.String({ description: "JSON pointer in the property." }),
  severity: words(["error", "warning"]),
  message: Type.String(),
});

export const Promotion = named("Promotion", "A property that is, or could be, on sale.", {
  property_id: Uuid,
  state: words(STATES),
  dry_run: Type.Boolean(),
  version: Version,
  warnings: Type.Array(PromotionReason),
  seq: Type.Optional(orNull(Seq)),
});

const Count = Type.Integer({ minimum: 0 });

export const ImportResult = named("ImportResult", "What each line came to.", {
  imported: Count,
  failed: Count,
  items: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1 }),
      property_id: Type.Optional(Id),
      error: Type.Optional(
        Type.Object({ code: Type.String(), detail: freeForm("As in an error envelope.") }),
      ),
    }),
  ),
});
