/** What operators get back: properties in every state, promotions, imports. */
import { Type } from "@sinclair/typebox";

import {
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
import { OVERSOLD_NIGHTS, OversoldNight } from "../oversold.ts";
import { Adjustment, ChildBand, TaxRule } from "./requests.ts";
import { Address, Geo } from "./responses.ts";
import { CancellationKind, MealPlan, PropertyState } from "./vocabularies.ts";

const Code = Type.String();

const Name = Type.String();

export const AdminPropertyList = listOf(
  named("PropertySummary", "A property of the tenant, whatever its state.", {
    property_id: Uuid,
    slug: Type.String(),
    name: Name,
    state: PropertyState,
    mode: Mode,
    version: Version,
  }),
);

const AdminRatePlan = named("AdminRatePlan", "A rate plan with all its terms.", {
  id: Uuid,
  code: Code,
  name: Name,
  currency: Currency,
  base_rate_per_night: Minor,
  meal_plan: MealPlan,
  cancellation_kind: CancellationKind,
  extra_adult_per_night: Minor,
  adjustments: Type.Array(Adjustment.answered),
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
  external_code: Type.Optional(Type.String()),
  name: Name,
  description: orNull(Type.String()),
  star_rating: orNull(Type.Number()),
  address: Address,
  geo: orNull(Geo),
  landmarks: Type.Optional(
    Type.Array(
      named("Landmark", "What is near and known by name.", {
        name: Name,
        geo: Type.Optional(orNull(Geo)),
      }),
      { description: "Destinations that find the property; absent when none was told." },
    ),
  ),
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
    named("AdminPolicy", "Cancellation terms with what a no-show costs.", {
      version: Type.String(),
      cancellation_kind: CancellationKind,
      free_cancellation_hours_before_checkin: Type.Integer(),
      cancellation_fee_pct_after_cutoff: Type.Number(),
      child_policy_text: orNull(Type.String()),
      no_show_fee_pct: Type.Number(),
    }),
  ),
  tax_rules: Type.Array(TaxRule.answered),
  child_bands: Type.Array(ChildBand.answered),
  room_types: Type.Array(AdminRoomType),
  state: PropertyState,
  mode: Mode,
  version: Version,
});

const PromotionReason = named("PromotionReason", "What stands against going live, or should.", {
  code: Type.String(),
  path: Type.String({ description: "JSON pointer in the property; line and column in a table." }),
  severity: words(["error", "warning"]),
  message: Type.String(),
});

const Warnings = Type.Array(PromotionReason, {
  description: "What a promotion would say: an `error` stands against it, a `warning` does not.",
});
const Mending = Type.Optional(
  freeForm(
    "Ready bodies against what `warnings` names: `patch` for `admin_patch_property`, `ari` for " +
      "`admin_update_ari`. What only the operator knows stands as `<what it is>`.",
  ),
);
const DryRun = Type.Boolean({ description: "True: nothing was done, so it would be." });

export const CreatedProperty = named("CreatedProperty", "A draft; promote it to sell it.", {
  property_id: Uuid,
  slug: Type.String(),
  state: words(["draft"]),
  mode: Mode,
  version: Version,
  dry_run: Type.Optional(DryRun),
  seq: orNull(Seq),
  warnings: Type.Optional(Warnings),
  mending: Mending,
});

export const ChangedProperty = named("ChangedProperty", "A property as it is after a change.", {
  property_id: Uuid,
  slug: Type.String(),
  state: PropertyState,
  mode: Mode,
  version: Version,
  changed: Type.Boolean({ description: "Whether anything is another than before." }),
  dry_run: DryRun,
  seq: orNull(Seq),
  warnings: Warnings,
  mending: Mending,
  oversold: Type.Optional(
    Type.Array(OversoldNight, {
      maxItems: 100,
      description: "The first nights that it leaves oversold, by date; absent when none is.",
    }),
  ),
  oversold_nights: OVERSOLD_NIGHTS,
});

export const DeletedProperty = named("DeletedProperty", "A draft that was deleted.", {
  property_id: Uuid,
  slug: Type.String(),
  state: words(["deleted"]),
  mode: Mode,
  version: Version,
  seq: Seq,
});

export const OffSaleProperty = named("OffSaleProperty", "A property that is off sale.", {
  property_id: Uuid,
  state: words(["suspended", "archived"]),
  version: Version,
  seq: orNull(Seq),
});

export const Promotion = named("Promotion", "A property that is, or could be, on sale.", {
  property_id: Uuid,
  state: PropertyState,
  dry_run: Type.Boolean(),
  version: Version,
  warnings: Type.Array(PromotionReason),
  seq: Type.Optional(orNull(Seq)),
});

const Count = Type.Integer({ minimum: 0 });

const ItemError = named("ImportError", "Why a line or property was refused.", {
  code: Type.String(),
  detail: freeForm("As in an error envelope."),
});

export const ImportResult = named("ImportResult", "What each line came to.", {
  dry_run: Type.Optional(DryRun),
  imported: Count,
  failed: Count,
  created: Type.Integer({ minimum: 0, description: "New drafts." }),
  updated: Type.Integer({ minimum: 0, description: "Known properties that were changed." }),
  unchanged: Type.Integer({
    minimum: 0,
    description: "Known properties of which every line was so already; nothing was written.",
  }),
  not_promotable: Type.Integer({
    minimum: 0,
    description: "Imported properties with a warning that promotion refuses.",
  }),
  items: Type.Array(
    named("ImportLine", "What one line came to: a property, or an error.", {
      line: Type.Integer({ minimum: 1 }),
      property_id: Type.Optional(Id),
      slug: Type.Optional(Type.String()),
      result: Type.Optional(
        Type.Unsafe<string>({
          ...words(["created", "updated", "unchanged"]),
          description: "`unchanged`: everything was so already, and nothing was written.",
        }),
      ),
      warnings: Type.Optional(Warnings),
      more_warnings: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "Warnings that are not told beside the first 20.",
        }),
      ),
      oversold_nights: OVERSOLD_NIGHTS,
      error: Type.Optional(ItemError),
    }),
  ),
});

export const Promotions = named("Promotions", "What each property came to.", {
  dry_run: Type.Boolean(),
  promoted: Type.Integer({ minimum: 0, description: "Now on sale, or would be." }),
  failed: Count,
  items: Type.Array(
    named("PromotionItem", "A property that is on sale, or why it is not.", {
      property_id: Uuid,
      slug: Type.String(),
      state: PropertyState,
      version: Type.Optional(Version),
      warnings: Type.Optional(Warnings),
      error: Type.Optional(ItemError),
    }),
  ),
});
