/** Answers for operators: properties in every state, promotions, imports. */
import { Type } from "@sinclair/typebox";
import { documented } from "../../http/schema/annotations.ts";

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
import { OPENED, OVERSOLD_NIGHTS, OversoldNight } from "../oversold.ts";
import { Adjustment, ChildBand, DerivedRate, Discount, TaxRule } from "./requests.ts";
import { Address, Geo } from "./responses.ts";
import { CancellationKind, MealPlan, PropertyState } from "./vocabularies.ts";

const Code = Type.String();

const Name = Type.String();

export const AdminPropertyList = listOf(
  named("PropertySummary", "A property of the tenant, in any state.", {
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
  derived_from: Type.Optional(DerivedRate),
  meal_plan: MealPlan,
  cancellation_kind: CancellationKind,
  extra_adult_per_night: Minor,
  adjustments: Type.Array(Adjustment.answered),
  discounts: documented(
    Type.Optional(Type.Array(Discount.answered)),
    "Of those that a stay has, the one that takes most off applies, alone.",
  ),
});

const AdminRoomType = named("AdminRoomType", "A room type with all its terms.", {
  id: Uuid,
  code: Code,
  name: Name,
  description: orNull(Type.String()),
  max_occupancy: Type.Integer(),
  included_occupancy: documented(Type.Integer(), "Guests covered by the rate."),
  bed_type: orNull(Type.String()),
  floor_size_sqm: documented(orNull(Type.Number()), "Square metres."),
  amenities: Type.Array(Type.String()),
  images: Type.Array(Type.String()),
  smoking_allowed: Type.Boolean(),
  default_inventory: Type.Integer(),
  overbooking_limit: Type.Integer(),
  rate_plans: Type.Array(AdminRatePlan),
});

export const AdminProperty = named("AdminProperty", "A stored property.", {
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
      named("Landmark", "A landmark near the property.", {
        name: Name,
        geo: Type.Optional(orNull(Geo)),
      }),
      { description: "Landmarks by which searches find the property; absent without any." },
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
  checkin_time: documented(orNull(Type.String()), "Local `HH:mm`."),
  checkout_time: documented(orNull(Type.String()), "Local `HH:mm`."),
  policies: Type.Array(
    named("AdminPolicy", "Cancellation terms with the no-show fee.", {
      version: documented(Type.String(), "Version among the policies of the kind; text."),
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

const PromotionReason = named(
  "PromotionReason",
  "A reason that prevents going live, or a warning.",
  {
    code: documented(Type.String(), "Code of the reason."),
    path: Type.String({ description: "JSON pointer in the property; line and column in a table." }),
    severity: documented(
      words(["error", "warning"]),
      "An `error` prevents promotion, a `warning` does not.",
    ),
    message: Type.String(),
  },
);

const Warnings = Type.Array(PromotionReason, {
  description: "Result of a promotion: an `error` prevents it, a `warning` does not.",
});
const Mending = Type.Optional(
  freeForm(
    "Ready bodies that fix the `warnings`: `patch` for `admin_patch_property`, `ari` for " +
      "`admin_update_ari`. Values that only the operator knows are placeholders `<description>`.",
  ),
);
const DryRun = Type.Boolean({ description: "True: nothing was changed; the answer is a preview." });

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

export const ChangedProperty = named("ChangedProperty", "A property after a change.", {
  property_id: Uuid,
  slug: Type.String(),
  state: PropertyState,
  mode: Mode,
  version: Version,
  changed: Type.Boolean({ description: "Whether anything changed." }),
  dry_run: DryRun,
  seq: orNull(Seq),
  warnings: Warnings,
  mending: Mending,
  oversold: Type.Optional(
    Type.Array(OversoldNight, {
      maxItems: 100,
      description: "The first oversold nights, by date; absent when none is.",
    }),
  ),
  oversold_nights: OVERSOLD_NIGHTS,
  ...OPENED,
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
  state: documented(
    words(["suspended", "archived"]),
    "`suspended` can be promoted again, `archived` cannot.",
  ),
  version: Version,
  seq: orNull(Seq),
});

export const Promotion = named("Promotion", "A property that is on sale, or could be promoted.", {
  property_id: Uuid,
  state: PropertyState,
  dry_run: documented(Type.Boolean(), "True: nothing was changed."),
  version: Version,
  warnings: Type.Array(PromotionReason),
  seq: Type.Optional(orNull(Seq)),
});

const Count = Type.Integer({ minimum: 0 });

export const ItemError = named("ImportError", "Why a line, property or booking was rejected.", {
  code: documented(Type.String(), "A code of the error catalogue."),
  detail: freeForm("As in an error envelope."),
});

export const ImportResult = named("ImportResult", "The result of each line.", {
  dry_run: Type.Optional(DryRun),
  imported: documented(Count, "Imported lines."),
  failed: Count,
  created: Type.Integer({ minimum: 0, description: "New drafts." }),
  updated: Type.Integer({ minimum: 0, description: "Existing properties that were changed." }),
  unchanged: Type.Integer({
    minimum: 0,
    description: "Existing properties that did not change; nothing was written.",
  }),
  not_promotable: Type.Integer({
    minimum: 0,
    description: "Imported properties with a warning that prevents promotion.",
  }),
  items: Type.Array(
    named("ImportLine", "The result of a line: a property or an error.", {
      line: documented(Type.Integer({ minimum: 1 }), "Number of the line, from 1."),
      property_id: Type.Optional(Id),
      slug: Type.Optional(Type.String()),
      result: Type.Optional(
        Type.Unsafe<string>({
          ...words(["created", "updated", "unchanged"]),
          description: "`unchanged`: no difference, nothing was written.",
        }),
      ),
      warnings: Type.Optional(Warnings),
      more_warnings: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "Number of warnings beyond the first 20.",
        }),
      ),
      oversold_nights: OVERSOLD_NIGHTS,
      error: Type.Optional(ItemError),
    }),
  ),
});

export const Promotions = named("Promotions", "The result of each property.", {
  dry_run: Type.Boolean(),
  promoted: Type.Integer({ minimum: 0, description: "Properties now on sale, or that would be." }),
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
