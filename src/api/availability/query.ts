/** Query parameters of an explanation: stay, agent and offer. */
import { Type } from "@sinclair/typebox";
import { dayOf } from "../../../engine/core/calendar.ts";
import type { Party } from "../../../engine/core/price/quote.ts";
import { namedOffer } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { Offer, PropertyEntry } from "../../../engine/core/state/state.ts";
import { invalid, type Refusal, refuse } from "../../http/answer.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { nameParameter } from "../ari/query.ts";
import { asOfParameter } from "../as-of.ts";
import { partyIn, required, STAY_QUERY, stayIn } from "../stay-query.ts";

export const EXPLAIN_QUERY = {
  property: required({
    schema: Type.String({ minLength: 1, maxLength: 120 }),
    description: "The property: its id or slug.",
    isValid: (value) => value.length >= 1 && value.length <= 120,
    fault: {
      message: "is not an id or slug",
      expected: "text of 1 to 120 characters: an id or slug",
    },
  }),
  room_type: required(nameParameter("One of its room types: the id or code.")),
  rate_plan: required(nameParameter("One of the room type's rate plans: the id or code.")),
  ...STAY_QUERY,
  check_in: {
    ...STAY_QUERY.check_in,
    description: "The day of arrival, which may be in the past.",
  },
  agent_id: {
    schema: Type.String({ minLength: 1, maxLength: 64 }),
    description: "Explain for this agent and its ceilings; for any agent by default.",
    isValid: (value) => value.length >= 1 && value.length <= 64,
    fault: { message: "is malformed", expected: "the id of an agent" },
  },
  as_of: asOfParameter("the explanation"),
} as const satisfies Readonly<Record<string, QueryParameter>>;

export interface AskedStay {
  readonly ok: true;
  readonly offer: Offer;
  readonly checkInDay: number;
  readonly nights: number;
  readonly party: Party;
  /** Null: any agent. */
  readonly agent_id: string | null;
}

/** The stay of a checked query in the property's tree, or the refusal of an unknown name. */
export function askedStay(
  query: ReadonlyMap<string, string>,
  property: PropertyEntry,
): AskedStay | Refusal {
  const stay = stayIn(query);
  const names = { room_type_id: query.get("room_type")!, rate_plan_id: query.get("rate_plan")! };
  const offer = namedOffer(property, names.room_type_id, names.rate_plan_id);
  if (typeof offer === "string") return refuse(offer, { property_id: property.tree.id, ...names });
  if ("candidates" in offer) {
    const path = offer.field === "room_type_id" ? "?room_type" : "?rate_plan";
    const expected = `the id, or the code as it is written: ${offer.candidates.join(", ")}`;
    return invalid([{ path, message: "is ambiguous: several have this code", expected }]);
  }
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const agent_id = query.get("agent_id") ?? null;
  return { ok: true, offer, checkInDay, nights, party: partyIn(query), agent_id };
}
