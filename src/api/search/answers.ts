/** What a search finds (spec 2.8, rules §4). */

import { Type } from "@sinclair/typebox";
import { PLACE_KINDS } from "../../../engine/core/places/place-book.ts";
import { Id, named, orNull, Uuid, words } from "../../http/schema/answer-parts.ts";
import { BestOffer } from "../offers/answers.ts";
import { Geo } from "../properties/answers.ts";
import { Alternative, Blocking } from "../quotes/answers.ts";

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

export const KnownPlaceOut = named("KnownPlace", "A place where properties are on sale.", {
  value: Type.String({ description: "What to search for, as a `destination` of type `area`." }),
  name: Type.String({ description: "As the properties write it." }),
  kind: words(PLACE_KINDS, "What it is."),
  country: Type.String({ description: "ISO 3166-1 alpha-2." }),
  properties: Type.Integer({ minimum: 1, description: "Properties on sale there." }),
  distance_m: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Metres from the point that was asked for to the nearest of them.",
    }),
  ),
});

export const Search = named("Search", "What a search found: complete, the best first.", {
  results: Type.Array(SearchResult),
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
