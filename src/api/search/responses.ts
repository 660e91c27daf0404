/** What a search finds (spec 2.8, rules §4). */

import { Type } from "@sinclair/typebox";
import { PLACE_KINDS } from "../../../engine/core/places/place-book.ts";
import { REASON_KINDS, REASONS } from "../../../engine/core/search/shortfall.ts";
import { vocabulary } from "../../http/schema/annotations.ts";
import {
  Id,
  Money,
  named,
  orNull,
  Party,
  Stay,
  Uuid,
  words,
} from "../../http/schema/answer-parts.ts";
import { BestOffer } from "../offers/responses.ts";
import { Geo } from "../properties/responses.ts";
import { CancellationKind, MealPlan } from "../properties/vocabularies.ts";
import { Alternative, Blocking, Refundability } from "../quotes/responses.ts";

const SearchResult = named("SearchResult", "A property with its cheapest offer for the stay.", {
  hotel_id: Uuid,
  slug: Type.String({ description: "Its page for travelers is `/book/{slug}`." }),
  name: Type.String(),
  star_rating: orNull(Type.Number()),
  address: named("ShortAddress", "Where it is, in short.", {
    city: Type.String(),
    country: Type.String({ description: "ISO 3166-1 alpha-2." }),
  }),
  geo: orNull(Geo),
  image: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
    description: "The first of its images.",
  }),
  distance_m: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: "Metres from the point that was asked for; null when none was.",
  }),
  rank_score: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      "How well it fits; 1 is best. 0.5 in the middle of what was found, 0.25 less at ten times " +
      "the total; a star, or that cancelling is free, counts as 15 % of the price, a kilometre " +
      "from the point as a tenth of it.",
  }),
  explanation: Type.Array(Type.String(), { description: "Why it stands where it stands." }),
  best_offer: BestOffer,
});

const SearchMiss = named("SearchMiss", "Why a property that was asked for has no offer.", {
  hotel_id: Id,
  blocking: Type.Array(Blocking),
  alternatives: Type.Array(Alternative),
});

const PlaceKind = vocabulary("PlaceKind", PLACE_KINDS, "What a place is.");

export const KnownPlaceOut = named("KnownPlace", "A place where properties are on sale.", {
  value: Type.String({ description: "What to search for, as a `destination` of type `area`." }),
  name: Type.String({ description: "As the properties write it." }),
  kind: PlaceKind,
  country: Type.String({ description: "ISO 3166-1 alpha-2." }),
  properties: Type.Integer({ minimum: 1, description: "Properties on sale there." }),
  distance_m: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Metres from the point that was asked for to the nearest of them.",
    }),
  ),
});

const NoResultReason = named("NoResultReason", "Why properties have no offer.", {
  kind: words(REASON_KINDS, "What of the search it is about."),
  reason: words(REASONS, "What stands against the offer that came farthest."),
  properties: Type.Integer({ minimum: 0, description: "Properties that it is the reason of." }),
});

const NearestConstraints = named(
  "NearestConstraints",
  "For each constraint the values that find something while all else stays; null for none.",
  {
    min_star_rating: Type.Union([Type.Number(), Type.Null()], {
      description: "The most stars that a property with an offer has.",
    }),
    amenities: orNull(Type.Array(Type.String())),
    bed_type: orNull(Type.Array(Type.String())),
    meal_plan: orNull(Type.Array(MealPlan)),
    cancellation: orNull(Type.Array(CancellationKind)),
    refundability: orNull(Type.Array(Refundability)),
    max_price_per_night: orNull(Money),
  },
);

const NearestSearches = named(
  "NearestSearches",
  "Members with which the search finds something: put one in place of what was asked.",
  {
    stays: Type.Array(Stay, { description: "The nearest first, at most two." }),
    guests: Type.Union([Party, Type.Null()], {
      description: "The largest party that a room is free for; null where the party is no reason.",
    }),
    constraints: orNull(NearestConstraints),
    place: Type.Union([KnownPlaceOut, Type.Null()], {
      description: "The nearest other city, within 250 km; its `value` is a destination.",
    }),
  },
);

const NoResults = named("NoResults", "Why a search found nothing, and what finds something.", {
  considered: Type.Integer({
    minimum: 0,
    description: "Properties of the destination that the credential may see.",
  }),
  judged: Type.Integer({
    minimum: 0,
    description: "How many of them the reasons count: all, or 1,000 from all parts of them.",
  }),
  reasons: Type.Array(NoResultReason, {
    description: "Each property is counted once; most properties first.",
  }),
  nearest: NearestSearches,
});

export const Search = named("Search", "What a search found: complete, the best first.", {
  results: Type.Array(SearchResult),
  no_results: Type.Union([NoResults, Type.Null()], {
    description: "Why there are no results; null where there are.",
  }),
  misses: Type.Optional(
    Type.Array(SearchMiss, { description: "Only for a destination of type `property`." }),
  ),
  suggestions: Type.Optional(
    Type.Array(KnownPlaceOut, {
      description:
        "Only where the place is not known: known ones, those that may be meant first; or where " +
        "nothing lies around the point: the nearest ones.",
    }),
  ),
});
