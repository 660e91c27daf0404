/** Why a stay can or cannot be sold. */
import { Type } from "@sinclair/typebox";
import { CHECKS } from "../../../engine/core/availability/explain.ts";
import { documented } from "../../http/schema/annotations.ts";
import {
  CivilDate,
  Currency,
  Id,
  Minor,
  named,
  orNull,
  Party,
  Stay,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { AriRestrictions, Ceiling, ROOM_UNITS } from "../ari/responses.ts";
import { MomentShown } from "../as-of.ts";
import { RateSource } from "../properties/vocabularies.ts";
import { Alternative, Blocking } from "../quotes/responses.ts";

const ExplainedNight = named("ExplainedNight", "A night of the stay.", {
  date: CivilDate,
  ...ROOM_UNITS,
  restrictions: AriRestrictions,
  ceilings: Type.Array(Ceiling, { description: "Ceilings that apply to this plan and agent." }),
  amount: Minor,
  extra_adult: Minor,
  rate_source: RateSource,
});

const ExplainedCheck = named("ExplainedCheck", "A check, in order of execution.", {
  check: documented(words(["agent", ...CHECKS]), "Name of the check."),
  passed: documented(Type.Boolean(), "Whether it passed."),
  words: Type.String({ description: "Its result as a sentence." }),
  blocking: Type.Array(Blocking),
});

const ExplainedPrice = named("ExplainedPrice", "The price of a quote.", {
  currency: Currency,
  room_subtotal: Minor,
  total: Minor,
  due_now: Minor,
  due_at_property: Minor,
  discount: orNull(
    named("ExplainedDiscount", "The discount of the stay, which its totals have.", {
      code: documented(Type.String(), "Code."),
      label: documented(Type.String(), "Reason, as in the price."),
    }),
  ),
});

export const StayExplanation = named(
  "StayExplanation",
  "Why a stay can or cannot be sold, now or as of then; agrees with quotes and holds.",
  {
    hotel_id: Uuid,
    room_type_id: Uuid,
    rate_plan_id: Uuid,
    stay: Stay,
    guests: Party,
    agent_id: Type.Union([Id, Type.Null()], { description: "The agent; null: any agent." }),
    is_sellable: documented(Type.Boolean(), "Whether a quote and a hold of it would succeed."),
    sellable: Type.Integer({ minimum: 0, description: "Units that could be held." }),
    checks: Type.Array(ExplainedCheck),
    nights: Type.Array(ExplainedNight),
    price: orNull(ExplainedPrice),
    alternatives: Type.Array(Alternative),
    as_of: Type.Optional(MomentShown),
  },
);
