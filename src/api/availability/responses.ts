/** Why a stay can or cannot be sold. */
import { Type } from "@sinclair/typebox";
import { CHECKS } from "../../../engine/core/explain.ts";
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
import { Alternative, Blocking } from "../quotes/responses.ts";

const ExplainedNight = named("ExplainedNight", "A night of the stay as it stands.", {
  date: CivilDate,
  ...ROOM_UNITS,
  restrictions: AriRestrictions,
  ceilings: Type.Array(Ceiling, { description: "Those that count this plan and agent." }),
  amount: Minor,
  extra_adult: Minor,
  rate_source: words(["date_override", "base"]),
});

const ExplainedCheck = named("ExplainedCheck", "A check, in the order in which they are made.", {
  check: words(["agent", ...CHECKS]),
  passed: Type.Boolean(),
  words: Type.String({ description: "What it found, as a sentence." }),
  blocking: Type.Array(Blocking),
});

const ExplainedPrice = named("ExplainedPrice", "What a quote would come to.", {
  currency: Currency,
  room_subtotal: Minor,
  total: Minor,
  due_now: Minor,
  due_at_property: Minor,
});

export const StayExplanation = named(
  "StayExplanation",
  "Why a stay can or cannot be sold now: sellable exactly when a quote and a hold of it are.",
  {
    hotel_id: Uuid,
    room_type_id: Uuid,
    rate_plan_id: Uuid,
    stay: Stay,
    guests: Party,
    agent_id: Type.Union([Id, Type.Null()], { description: "For whom; null: for any agent." }),
    is_sellable: Type.Boolean(),
    sellable: Type.Integer({ minimum: 0, description: "Units that could be held." }),
    checks: Type.Array(ExplainedCheck),
    nights: Type.Array(ExplainedNight),
    price: orNull(ExplainedPrice),
    alternatives: Type.Array(Alternative),
  },
);
