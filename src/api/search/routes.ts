/** `POST /v1/search`: answered from the local replica alone. */
import { otherDestination } from "../../../engine/core/search/destinations.ts";
import type { SearchResult } from "../../../engine/core/search/results.ts";
import { search } from "../../../engine/core/search/search.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { BOOKERS } from "../callers.ts";
import { OFFERS_MAX } from "../offers/actions.ts";
import { EXAMPLE } from "../tool-arguments.ts";
import { scopeOf } from "../visible.ts";
import { searchActions } from "./actions.ts";
import { type SearchRequest, searchRequest } from "./requests.ts";
import { Search } from "./responses.ts";

/** On the wire a property's id is called `hotel_id`. */
function onWire<T extends { readonly property_id: string }>({ property_id, ...rest }: T) {
  return { hotel_id: property_id, ...rest };
}

/** Members are copied by name for speed. */
function resultOnWire(found: SearchResult) {
  const { city, country } = found;
  return {
    hotel_id: found.property_id,
    slug: found.slug,
    name: found.name,
    star_rating: found.star_rating,
    address: { city, country },
    geo: found.geo,
    image: found.image,
    distance_m: found.distance_m,
    rank_score: found.rank_score,
    explanation: found.explanation,
    best_offer: found.best_offer,
  };
}

function find(call: Call<SearchRequest>): Success {
  const { context, may, body } = call;
  const { state } = context.replica;
  const scope = scopeOf(call);
  const { results, misses, suggestions, noResults } = search(state, body, scope);
  const { stay, guests, destination } = body;
  const nothing = suggestions ? "unknown_place" : "nothing_free";
  context.metrics.search(results.length > 0 ? "found" : nothing);
  const isByName = destination?.type === "property";
  const offers = results.slice(0, OFFERS_MAX).map(({ property_id, best_offer }) => {
    const { room_type_id, rate_plan_id } = best_offer;
    return { hotel_id: property_id, room_type_id, rate_plan_id, stay, guests };
  });
  const isUnknown = results.length + misses.length === 0 && (suggestions || isByName);
  const other = destination && isUnknown ? otherDestination(state, destination, scope) : null;
  const data = {
    results: results.map(resultOnWire),
    no_results: noResults,
    ...(isByName && { misses: misses.map(onWire) }),
    ...(suggestions && { suggestions }),
  };
  return {
    ok: true,
    data,
    actions: searchActions(
      { offers, suggestions, misses, other, nearest: noResults?.nearest ?? null },
      body,
      may,
    ),
  };
}

export const searchRoutes = [
  route({
    id: "search",
    tag: "Supply",
    method: "POST",
    path: "/v1/search",
    summary: "Search available rooms",
    description:
      "Every property with at least one offer that can be held now for the party and meets all " +
      "constraints, best first. An area is any place with properties: district, city, region or " +
      "country, in several languages, by code or airport, or several of them (`Madrid, Spain`); " +
      "or a point with a radius (`geo:41.3874,2.1686;u=3000`, in metres). For an unknown place, " +
      "or a point without properties around it, the answer has `suggestions`, each with its " +
      "search among the next actions; likewise for a hotel's name where a place is expected, and " +
      "vice versa. Without results `no_results` says why and which similar searches find some. " +
      "The flat form of the body (`destination` as text, `check_in` and `check_out` at the top " +
      "level) is accepted too.",
    access: { kinds: BOOKERS, scope: "search", touches: "properties" },
    body: searchRequest,
    readsReplica: true,
    success: {
      status: 200,
      description: "Properties with their cheapest offer.",
      data: Search,
    },
    errors: [],
    tool: {
      title: "Search availability",
      description:
        "Hotels with a free room for dates and guests, best first, each with its best offer. " +
        "Start here; then quote the traveler's choice, ready in next_actions.",
      tags: ["search", "availability"],
      nextRel: "quote",
      isReadOnly: true,
      example: {
        destination: { type: "area", value: "Madrid" },
        stay: EXAMPLE.stay,
        guests: EXAMPLE.guests,
      },
    },
    handle: find,
  }),
];
