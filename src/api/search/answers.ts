/** What a search finds (spec 2.8, rules §4). */

import { Type } from "@sinclair/typebox";
import { Id, Money, named, Uuid } from "../../http/schema/answer-parts.ts";
import { Alternative, Blocking } from "../quotes/answers.ts";

const SearchResult = named("SearchResult", "A property with its cheapest offer for the stay.", {
  hotel_id: Uuid,
  name: Type.String(),
  rank_score: Type.Number({ minimum: 0, maximum: 1, description: "How well it fits; 1 is best." }),
  explanation: Type.Array(Type.String(), { description: "Why it stands where it stands." }),
  best_offer: named("Offer", "The cheapest room and rate that meet what was asked.", {
    room_type_id: Uuid,
    rate_plan_id: Uuid,
    price_per_night: Money,
  }),
});

const SearchMiss = named("SearchMiss", "Why a property that was asked for has no offer.", {
  hotel_id: Id,
  blocking: Type.Array(Blocking),
  alternatives: Type.Array(Alternative),
});

export const Search = named("Search", "What a search found: complete, the best first.", {
  results: Type.Array(SearchResult),
  misses: Type.Optional(
    Type.Array(SearchMiss, { description: "Only for a destination of type `property`." }),
  ),
});
