/** Offers: a room type and rate plan for a stay, with the facts to choose by. */
import { Type } from "@sinclair/typebox";
import { SELLABLE_MAX } from "../../../engine/core/search/found.ts";
import {
  Currency,
  Instant,
  Minor,
  Money,
  named,
  orNull,
  Party,
  Stay,
  Uuid,
} from "../../http/schema/answer-parts.ts";
import { MealPlan } from "../properties/vocabularies.ts";
import { QuoteBody } from "../quotes/requests.ts";
import { Alternative, Blocking, Display, Refundability } from "../quotes/responses.ts";

const TERMS = {
  refundability: Refundability,
  free_until: Type.Union([Instant, Type.Null()], {
    description: "End of free cancellation; null when a fee already applies.",
  }),
};

const OFFER = {
  room_type_id: Uuid,
  room_type_name: Type.String(),
  rate_plan_id: Uuid,
  rate_plan_name: Type.String(),
  meal_plan: MealPlan,
  bed_type: orNull(Type.String()),
  max_occupancy: Type.Integer({ description: "Maximum number of guests." }),
  price_per_night: Money,
  currency: Currency,
  total: Type.Integer({ description: "Total of the stay with taxes and fees, as in its quote." }),
  due_now: Type.Integer({ description: "Part of the total captured at booking, minor units." }),
  due_at_property: Minor,
};

export const BestOffer = named("Offer", "The cheapest matching room and rate.", {
  ...OFFER,
  sellable: Type.Integer({
    minimum: 1,
    maximum: SELLABLE_MAX,
    description: `Units that can be held; ${SELLABLE_MAX} means as many or more.`,
  }),
  cancellation: named("OfferTerms", "Cancellation terms of a booking made now.", TERMS),
});

const PropertyOffer = named("PropertyOffer", "A room type and rate plan for the stay.", {
  ...OFFER,
  sellable: Type.Integer({ minimum: 0, description: "Units that can be held now." }),
  cancellation: named("OfferTermsInWords", "Cancellation terms of a booking made now.", {
    ...TERMS,
    description: Type.String({ description: "The terms in words, as in its quote." }),
  }),
  quote: orNull(QuoteBody),
  display: orNull(Display),
  blocking: Type.Array(Blocking, { description: "Why it cannot be held; empty when it can." }),
  alternatives: Type.Array(Alternative, {
    description: "The same offer on the nearest sellable dates.",
  }),
});

export const PropertyOffers = named(
  "PropertyOffers",
  "All offers of a property for a stay: sellable ones first, cheapest first, then the others.",
  { hotel_id: Uuid, stay: Stay, guests: Party, items: Type.Array(PropertyOffer) },
);
