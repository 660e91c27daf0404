/** What an update of rates and availability comes to. */

import { Type } from "@sinclair/typebox";
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
import { OVERSOLD_NIGHTS, OversoldNight } from "../oversold.ts";

const Count = Type.Integer({ minimum: 0 });

/** How much of each list. */
export const AriCounts = named("AriCounts", "Ranges of each list.", {
  inventory: Count,
  rates: Count,
  restrictions: Count,
  ceilings: Count,
});

const Oversold = named("AriOversold", "A night that has more sold and held than there is.", {
  ...OversoldNight.properties,
  range: Type.Integer({
    minimum: 0,
    description: "Place in the update's `inventory` of the range that has set it, from 0.",
  }),
});

export const AriApplied = named("AriApplied", "How many ranges of each list were applied.", {
  property_id: Uuid,
  applied: AriCounts,
  changed: Type.Optional(
    Type.Boolean({
      description: "False: every night was so already, nothing was written and `seq` is null.",
    }),
  ),
  seq: orNull(Seq),
  oversold: Type.Optional(
    Type.Array(Oversold, {
      maxItems: 100,
      description: "The first nights that it leaves oversold, by date; absent when none is.",
    }),
  ),
  oversold_nights: OVERSOLD_NIGHTS,
});

const Limit = Type.Optional(Type.Integer({ minimum: 0 }));
const Switch = Type.Optional(Type.Boolean());

export const AriRestrictions = named(
  "AriRestrictions",
  "What is set for the night; what is not is left out.",
  {
    stop_sell: Switch,
    cta: Switch,
    ctd: Switch,
    min_los_arrival: Limit,
    max_los_arrival: Limit,
    min_stay_through: Limit,
    max_stay_through: Limit,
  },
);

const Change = named("AriChange", "The last change of the night, and who made it.", {
  at: Instant,
  seq: Seq,
  actor: Actor,
  fields: Type.Array(Type.String(), {
    description: "What was set; `property` when nothing was by date, and the tree says it.",
  }),
});
const Changed = orNull(Change);

export const Ceiling = named(
  "AriCeiling",
  "A ceiling on the night; null in its scope is every one.",
  {
    rate_plan_id: orNull(Uuid),
    agent_id: orNull(Id),
    limit: Count,
    used: Type.Integer({ minimum: 0, description: "Units sold and held in its scope." }),
  },
);

const PlanNight = named("AriPlanNight", "The night of a rate plan.", {
  rate_plan_id: Uuid,
  code: Type.String(),
  currency: Currency,
  amount: Minor,
  extra_adult: Minor,
  rate_source: words(["date_override", "base"]),
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
  left: Type.Integer({ minimum: 0, description: "Units that could be held, but for ceilings." }),
  oversold: Type.Integer({ minimum: 0, description: "Units that are taken and are not there." }),
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
  from: CivilDate,
  to: CivilDate,
  forgotten_before: Type.Union([CivilDate, Type.Null()], {
    description: "Nights before it are over and no longer remembered, so they are left out.",
  }),
  changes: named(
    "AriChanges",
    "Whether the last change of every night is told. Where it is not, `changed` is null for what " +
      "was changed before `since`.",
    {
      is_complete: Type.Boolean(),
      since: orNull(Instant),
    },
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
    "Comma-separated values (RFC 4180). The first line names the columns, whose order stays. A " +
    "line is a night of a room type (`rate_plan` is empty), of a rate plan, or of an agent's " +
    "ceiling. Text that a spreadsheet would take for a formula begins with an apostrophe.",
});

export const AriImportResult = named("AriImportResult", "What each line came to.", {
  dry_run: Type.Boolean(),
  lines: Count,
  applied: Type.Integer({ minimum: 0, description: "Lines that were applied, or would be." }),
  unchanged: Type.Integer({
    minimum: 0,
    description: "Lines of `applied` whose update changes no night, so that nothing is written.",
  }),
  failed: Count,
  oversold_nights: OVERSOLD_NIGHTS,
  items: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1 }),
      property: Type.String(),
      ok: Type.Boolean(),
      changed: Type.Optional(
        Type.Boolean({
          description: "False: the update of this line and those beside it changes no night.",
        }),
      ),
      oversold: Type.Optional(
        Type.Array(OversoldNight, {
          description:
            "Nights that the line leaves oversold; absent when none is. Of lines that are applied " +
            "together the first hundred are told.",
        }),
      ),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            column: Type.String({ description: "Empty for the line as a whole." }),
            message: Type.String(),
            expected: Type.String(),
          }),
        ),
      ),
    }),
  ),
});
