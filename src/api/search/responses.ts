/** Results of a search. */

import { Type } from "@sinclair/typebox";
import { PLACE_KINDS } from "../../../engine/core/search/places/place-book.ts";
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
  address: named("ShortAddress", "Short address.", {
    city: Type.String(),
    country: Type.String({ description: "ISO 3166-1 alpha-2." }),
  }),
  geo: orNull(Geo),
  image: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
    description: "Its first image.",
  }),
  distance_m: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: "Metres from the requested point; null without a point.",
  }),
  rank_score: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      "Score; 1 is best. 0.5 is the middle of the results, 0.25 less at ten times the total; a " +
      "star or free cancellation counts as 15 % of the price, a kilometre from the point as a " +
      "tenth of it.",
  }),
  explanation: Type.Array(Type.String(), { description: "Reasons for its rank." }),
  best_offer: BestOffer,
});

const SearchMiss = named("SearchMiss", "Why a requested property has no offer.", {
  hotel_id: Id,
  blocking: Type.Array(Blocking),
  alternatives: Type.Array(Alternative),
});

const PlaceKind = vocabulary("PlaceKind", PLACE_KINDS, "Kind of place.");

export const KnownPlaceOut = named("KnownPlace", "A place with properties on sale.", {
  value: Type.String({ description: "Value of a `destination` of type `area`." }),
  name: Type.String({ description: "Name as the properties write it." }),
  kind: PlaceKind,
  country: Type.String({ description: "ISO 3166-1 alpha-2." }),
  properties: Type.Integer({ minimum: 1, description: "Properties on sale there." }),
  distance_m: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Metres from the requested point to the nearest of them.",
    }),
  ),
});

const NoResultReason = named("NoResultReason", "Why properties have no offer.", {
  kind: words(REASON_KINDS, "The part of the search that excludes them."),
  reason: words(REASONS, "Why the best offer failed."),
  properties: Type.Integer({ minimum: 0, description: "Number of properties with this reason." }),
});

const NearestConstraints = named(
  "NearestConstraints",
  "For each constraint the values that find results with all else unchanged; null for none.",
  {
    min_star_rating: Type.Union([Type.Number(), Type.Null()], {
      description: "The highest star rating of a property with an offer.",
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
  "Changes with which the search finds results; each replaces one member.",
  {
    stays: Type.Array(Stay, { description: "Nearest first, at most two." }),
    guests: Type.Union([Party, Type.Null()], {
      description: "The largest party with a free room; null if the party is not the reason.",
    }),
    constraints: orNull(NearestConstraints),
    place: Type.Union([KnownPlaceOut, Type.Null()], {
      description: "The nearest other city, within 250 km; its `value` is a destination.",
    }),
  },
);

const NoResults = named("NoResults", "Why a search has no results, and changes that find some.", {
  considered: Type.Integer({
    minimum: 0,
    description: "Properties of the destination that the credential may see.",
  }),
  judged: Type.Integer({
    minimum: 0,
    description: "Number of properties counted in the reasons: all, or a sample of 1,000.",
  }),
  reasons: Type.Array(NoResultReason, {
    description: "Each property is counted once; most properties first.",
  }),
  nearest: NearestSearches,
});

export const Search = named("Search", "Results of a search: complete, best first.", {
  results: Type.Array(SearchResult),
  no_results: Type.Union([NoResults, Type.Null()], {
    description: "Why there are no results; null if there are.",
  }),
  misses: Type.Optional(
    Type.Array(SearchMiss, { description: "Only for a destination of type `property`." }),
  ),
  suggestions: Type.Optional(
    Type.Array(KnownPlaceOut, {
      description:
        "Only for an unknown place: known places, most similar first; or if no property is " +
        "around the point: the nearest places.",
    }),
  ),
});
