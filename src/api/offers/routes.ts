/** `GET /v1/properties/{id}/offers`: all offers of a property for a stay, from the replica. */
import { Type } from "@sinclair/typebox";
import { type StayOffer, stayOffers } from "../../../engine/core/availability/offers.ts";
import { dayOf, todayIn } from "../../../engine/core/calendar.ts";
import { ADULTS_MAX, CHILDREN_MAX } from "../../../engine/core/price/price-bounds.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { offerCard } from "../../../engine/core/search/index/cards.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import {
  CivilDate,
  describedAs,
  describedInShort,
  integer,
  text,
} from "../../http/schema/request-parts.ts";
import { BOOKERS } from "../callers.ts";
import { CURRENCY, currencyArgument } from "../parameters.ts";
import { PROPERTY_ID } from "../properties/parameters.ts";
import { displayTotal } from "../quotes/shown.ts";
import { ADULTS, partyIn, STAY_QUERY, saleFaults, stayIn } from "../stay-query.ts";
import { EXAMPLE } from "../tool-arguments.ts";
import { livePropertyOf } from "../visible.ts";
import { offersActions } from "./actions.ts";
import { PropertyOffers } from "./responses.ts";

/** The common parts of an answer's offers. */
type Asked = Pick<QuoteRequest, "stay" | "guests">;

function list(call: Call<unknown, "id">): Success | Refusal {
  const { context, params, query, principal, may } = call;
  const property = livePropertyOf(call, params.id);
  if ("code" in property) return property;
  const nowMs = context.timeIn(principal);
  const todayDay = todayIn(property.tree.timezone, nowMs);
  const asked = { stay: stayIn(query), guests: partyIn(query) };
  const { stay, guests } = asked;
  const faults = saleFaults(stay, todayDay);
  if (faults.length > 0) return invalid(faults);
  const checkInDay = dayOf(stay.check_in);
  const nights = dayOf(stay.check_out) - checkInDay;
  const of = { checkInDay, nights, party: guests, agentId: principal.agent_id, todayDay };
  const fx = context.replica.state.tenants.get(property.tenant_id)?.fx ?? null;
  const offers = stayOffers(property, of, { nowMs, fx });
  const hotel_id = property.tree.id;
  const items = offers.map((each) => onWire(call, each, asked));
  const data = { hotel_id, ...asked, items };
  return { ok: true, data, actions: offersActions(items, asked, may) };
}

/** Members are copied by name for speed: a large hotel has hundreds of offers. */
function onWire(call: Call<unknown, "id">, found: StayOffer, asked: Asked) {
  const { offer, amount, totals, cancellation, sellable } = found;
  const card = offerCard(offer.roomType, offer.plan);
  const { currency } = card;
  const { total, due_now, due_at_property } = totals;
  const { refundability, free_until, description } = cancellation;
  return {
    room_type_id: card.room_type_id,
    room_type_name: card.room_type_name,
    rate_plan_id: card.rate_plan_id,
    rate_plan_name: card.rate_plan_name,
    meal_plan: card.meal_plan,
    bed_type: card.bed_type,
    max_occupancy: card.max_occupancy,
    price_per_night: { amount, currency },
    currency,
    total,
    due_now,
    due_at_property,
    sellable,
    cancellation: { refundability, free_until, description },
    quote: sellable > 0 ? quoteOf(found, asked) : null,
    display: displayTotal(call, { total, currency }),
    blocking: found.blocking,
    alternatives: found.alternatives,
  };
}

/** The body of its quote. */
function quoteOf({ offer }: StayOffer, { stay, guests }: Asked): QuoteRequest {
  const { property, roomType, plan } = offer;
  const [room_type_id, rate_plan_id] = [roomType.id, plan.id];
  return { hotel_id: property.tree.id, room_type_id, rate_plan_id, stay, guests };
}

const Ages = Type.Array(integer(0, 17), { maxItems: CHILDREN_MAX });

export const offerRoutes = [
  route({
    id: "list_offers",
    tag: "Supply",
    method: "GET",
    path: "/v1/properties/:id/offers",
    summary: "List all offers of a property for a stay",
    description:
      "Every room type and rate plan with price, total and cancellation terms as in a quote made " +
      "now: first the sellable ones, cheapest first, each with the body of its `quote`; then the " +
      "others with the reasons: for up to 40 night by night and with the nearest sellable dates, " +
      "for the rest each reason with its first night. Rate plans without a policy cannot be " +
      "quoted and are left out.",
    access: { kinds: BOOKERS, scope: "search", touches: "properties" },
    params: { id: PROPERTY_ID },
    query: { ...STAY_QUERY, currency: CURRENCY },
    readsReplica: true,
    success: { status: 200, description: "The offers.", data: PropertyOffers },
    errors: ["property_not_found", "resource_access_denied"],
    tool: {
      title: "List offers of a hotel",
      description:
        "All rooms and rates of one hotel for a stay, with totals and terms; what cannot be held " +
        "says why, and when it can. Then quote one.",
      tags: ["search", "availability"],
      nextRel: "quote",
      pathArguments: { id: "property" },
      arguments: {
        property: describedInShort(
          describedAs(text(1, 120), "a property's id or slug"),
          "id or slug",
        ),
      },
      queryArguments: {
        check_in: CivilDate,
        check_out: CivilDate,
        adults: Type.Optional(describedAs(integer(1, ADULTS_MAX), `${ADULTS} unless given`)),
        children: Type.Optional(describedAs(Ages, "their ages; none unless given")),
        currency: currencyArgument,
      },
      example: { property: EXAMPLE.hotel_id, ...EXAMPLE.stay, ...EXAMPLE.guests },
    },
    handle: list,
  }),
];
