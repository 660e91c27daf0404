/** Offers: a room type and rate plan for a stay, with what decides between them. */
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
    description: "Until when cancelling costs nothing; null when it costs something already.",
  }),
};

const OFFER = {
  room_type_id: Uuid,
  room_type_name: Type.String(),
  rate_plan_id: Uuid,
  rate_plan_name: Type.String(),
  meal_plan: MealPlan,
  bed_type: orNull(Type.String()),
  max_occupancy: Type.Integer({ description: "Guests that the room takes." }),
  price_per_night: Money,
  currency: Currency,
  total: Type.Integer({ description: "Of the stay with taxes and fees, as its quote has it." }),
  due_now: Type.Integer({ description: "Of the total: captured at booking, minor units." }),
  due_at_property: Minor,
};

export const BestOffer = named("Offer", "The cheapest room and rate that meet what was asked.", {
  ...OFFER,
  sellable: Type.Integer({
    minimum: 1,
    maximum: SELLABLE_MAX,
    description: `Units that can be held; ${SELLABLE_MAX} stands for as many or more.`,
  }),
  cancellation: named("OfferTerms", "How a booking made now could be cancelled.", TERMS),
});

const PropertyOffer = named("PropertyOffer", "A room type and rate plan for the stay.", {
  ...OFFER,
  sellable: Type.Integer({ minimum: 0, description: "Units that can be held now." }),
  cancellation: named("OfferTermsInWords", "How a booking made now could be cancelled.", {
    ...TERMS,
    description: Type.String({ description: "The same in words, as its quote has them." }),
  }),
  quote: orNull(QuoteBody),
  display: orNull(Display),
  blocking: Type.Array(Blocking, { description: "What stands against it; empty when nothing." }),
  alternatives: Type.Array(Alternative, {
    description: "The same offer on the nearest dates on which it can be held.",
  }),
});

export const PropertyOffers = named(
  "PropertyOffers",
  "What a property sells for a stay: what can be held, the cheapest first, then what cannot.",
  { hotel_id: Uuid, stay: Stay, guests: Party, items: Type.Array(PropertyOffer) },
);
