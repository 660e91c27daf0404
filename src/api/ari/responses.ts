/** Results of updates of rates and availability. */
import { Type } from "@sinclair/typebox";
import { perRule } from "../../../engine/core/rules.ts";
import { documented } from "../../http/schema/annotations.ts";
import {
  Actor,
  CivilDate,
  Currency,
  Id,
  Instant,
  Minor,
  named,
  orNull,
  Seq,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { MomentShown } from "../as-of.ts";
import { OPENED, OVERSOLD_NIGHTS, OversoldNight } from "../oversold.ts";
import { RateSource } from "../properties/vocabularies.ts";

const Count = Type.Integer({ minimum: 0 });

export const AriCounts = named("AriCounts", "Ranges of each list.", {
  inventory: documented(Count, "Ranges of inventory."),
  rates: documented(Count, "Ranges of rates."),
  restrictions: documented(Count, "Ranges of restrictions."),
  ceilings: documented(Count, "Ranges of ceilings."),
});

const Oversold = named(
  "AriOversold",
  "A night with more sold and held units than effective capacity.",
  {
    ...OversoldNight.properties,
    range: Type.Integer({
      minimum: 0,
      description: "Index in the update's `inventory` of the range that set it.",
    }),
  },
);

export const AriApplied = named("AriApplied", "How many ranges of each list were applied.", {
  property_id: Uuid,
  applied: AriCounts,
  changed: Type.Optional(
    Type.Boolean({
      description: "False: no night changed, nothing was written and `seq` is null.",
    }),
  ),
  seq: orNull(Seq),
  oversold: Type.Optional(
    Type.Array(Oversold, {
      maxItems: 100,
      description: "The first oversold nights, by date; absent when none is.",
    }),
  ),
  oversold_nights: OVERSOLD_NIGHTS,
  ...OPENED,
});

const Limit = Type.Optional(Type.Integer({ minimum: 0 }));
const Switch = Type.Optional(Type.Boolean());

export const AriRestrictions = named(
  "AriRestrictions",
  "The values set for the night; unset ones are left out.",
  perRule({
    ...{ closed: Switch, min_nights: Limit, max_nights: Limit },
    ...{ min_days_ahead: Limit, max_days_ahead: Limit, pattern: Type.Optional(Type.String()) },
  }),
);

const Change = named("AriChange", "The last change of the night, and who made it.", {
  at: Instant,
  seq: Seq,
  actor: Actor,
  fields: Type.Array(Type.String(), {
    description: "The fields set; `property` when no value was set by date and the tree applies.",
  }),
});
const Changed = orNull(Change);

const Release = named(
  "AriRelease",
  "From when the ceiling's unsold units cannot be sold in its scope.",
  {
    strategy: documented(words(["fixed", "rolling"]), "A date, or a number of days."),
    at: Type.Optional(documented(CivilDate, "The first such day at the property, of `fixed`.")),
    days_before: Type.Optional(
      Type.Integer({ minimum: 0, description: "Days before the night, of `rolling`." }),
    ),
  },
);

export const Ceiling = named("AriCeiling", "A ceiling on the night; null in its scope means all.", {
  rate_plan_id: orNull(Uuid),
  agent_id: orNull(Id),
  limit: documented(Count, "The maximum or minimum."),
  used: Type.Integer({ minimum: 0, description: "Units sold and held in its scope." }),
  release: orNull(Release),
});

const PlanNight = named("AriPlanNight", "The night of a rate plan.", {
  rate_plan_id: Uuid,
  code: Type.String(),
  currency: Currency,
  amount: Minor,
  extra_adult: Minor,
  rate_source: RateSource,
  restrictions: AriRestrictions,
  changed: Changed,
});

/** Units of a room type on a night. */
export const ROOM_UNITS = {
  capacity: Count,
  out_of_order: Count,
  overbooking_limit: Count,
  effective: Type.Integer({ description: "capacity − out_of_order + overbooking_limit." }),
  sold: Count,
  held: Count,
  left: Type.Integer({ minimum: 0, description: "Units that could be held, ignoring ceilings." }),
  oversold: Type.Integer({
    minimum: 0,
    description: "Units sold and held beyond effective capacity.",
  }),
};

const RoomNight = named("AriRoomNight", "The night of a room type.", {
  date: CivilDate,
  ...ROOM_UNITS,
  restrictions: AriRestrictions,
  ceilings: Type.Array(Ceiling),
  changed: Changed,
  rate_plans: Type.Array(PlanNight),
});

export const AriNights = named("AriNights", "The nights of a property, by room type.", {
  property_id: Uuid,
  slug: Type.String(),
  as_of: Type.Optional(MomentShown),
  from: CivilDate,
  to: CivilDate,
  forgotten_before: Type.Union([CivilDate, Type.Null()], {
    description: "Nights before it are in the past and no longer stored.",
  }),
  changes: named(
    "AriChanges",
    "Whether the last change of every night is known. If not, `changed` is null for nights " +
      "changed before `since`.",
    {
      is_complete: documented(Type.Boolean(), "Whether the last change of every night is known."),
      since: orNull(Instant),
    },
  ),
  room_types_found: Type.Optional(
    documented(Count, "With `room_limit`: how many room types there are."),
  ),
  room_types: Type.Array(
    named("AriRoom", "The nights of a room type.", {
      room_type_id: Uuid,
      code: Type.String(),
      name: Type.String(),
      nights: Type.Array(RoomNight),
    }),
  ),
});

export const AriTable = Type.String({
  description:
    "Comma-separated values (RFC 4180). The first line names the columns, whose order is stable. " +
    "A line is a night of a room type (`rate_plan` is empty), of a rate plan, or of an agent's " +
    "ceiling. Text that a spreadsheet would take for a formula begins with an apostrophe.",
});

export const AriImportResult = named("AriImportResult", "The result of each line.", {
  dry_run: documented(Type.Boolean(), "True: nothing was changed."),
  lines: documented(Count, "Number of lines read."),
  applied: Type.Integer({
    minimum: 0,
    description: "Lines that were applied, or would be applied.",
  }),
  unchanged: Type.Integer({
    minimum: 0,
    description: "Lines of `applied` whose update changes no night; nothing is written for them.",
  }),
  failed: Count,
  oversold_nights: OVERSOLD_NIGHTS,
  items: Type.Array(
    Type.Object({
      line: documented(Type.Integer({ minimum: 1 }), "Number of the line, from 1."),
      property: documented(Type.String(), "The property's name in the line."),
      ok: documented(Type.Boolean(), "Whether it was imported."),
      changed: Type.Optional(
        Type.Boolean({
          description: "False: the update with this line changes no night.",
        }),
      ),
      oversold: Type.Optional(
        Type.Array(OversoldNight, {
          description:
            "Nights that the line leaves oversold; absent when none is. Of lines applied " +
            "together only the first hundred are listed.",
        }),
      ),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            column: Type.String({ description: "Empty for the line as a whole." }),
            message: Type.String(),
            expected: documented(Type.String(), "The expected value."),
          }),
        ),
      ),
    }),
  ),
});
