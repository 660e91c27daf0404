/** `GET /v1/places`: completes names of places with properties on sale. */
import { Type } from "@sinclair/typebox";
import { placesBegun } from "../../../engine/core/search/destinations.ts";
import { permitted, post } from "../../actions/next-action.ts";
import type { Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { route } from "../../http/route.ts";
import { named } from "../../http/schema/answer-parts.ts";
import { describedAs, describedInShort, integer, text } from "../../http/schema/request-parts.ts";
import { BOOKERS } from "../callers.ts";
import { OFFERS_MAX } from "../offers/actions.ts";
import { KnownPlaceOut } from "../search/responses.ts";
import { exampleStayBody } from "../stays.ts";
import { scopeOf } from "../visible.ts";

const TEXT_MAX = 100;
const LIMIT = 10;
const LIMIT_MAX = 50;

const Q: QueryParameter = {
  isRequired: true,
  schema: text(1, TEXT_MAX),
  description: "Prefix of a name, or of a word in it, in any known language.",
  isValid: (value) => value.trim() !== "" && value.length <= TEXT_MAX,
  fault: { message: "must be a name prefix", expected: `text of 1 to ${TEXT_MAX} characters` },
};

const LIMIT_QUERY: QueryParameter = {
  schema: integer(1, LIMIT_MAX),
  description: `Maximum number of places; ${LIMIT} by default.`,
  isValid: (value) => /^[1-9]\d?$/.test(value) && Number(value) <= LIMIT_MAX,
  fault: { message: "is out of range", expected: `a whole number from 1 to ${LIMIT_MAX}` },
};

const PlaceList = named("PlaceList", "Places where properties are on sale.", {
  items: Type.Array(KnownPlaceOut),
});

function list(call: Call): Success {
  const { query, context, may } = call;
  const limit = Number(query.get("limit") ?? LIMIT);
  const items = placesBegun(context.replica.state, query.get("q")!, limit, scopeOf(call));
  const stay = exampleStayBody(call);
  const there = items.slice(0, OFFERS_MAX).map(({ value }) => {
    return post("search", "/v1/search", { destination: { type: "area", value }, ...stay });
  });
  const searches = there.length > 0 ? there : [post("search", "/v1/search", stay)];
  return { ok: true, data: { items }, actions: permitted(searches, may) };
}

export const placeRoutes = [
  route({
    id: "find_places",
    tag: "Supply",
    method: "GET",
    path: "/v1/places",
    summary: "Complete the name of a place",
    description:
      "Districts, cities, regions and countries where the credential may sell, with a name that " +
      "begins with the text, or else with a similar name. Those with most properties come first. " +
      "`value` is a destination for `POST /v1/search`; the next actions search the first five, " +
      "or everywhere if no place matches.",
    access: { kinds: BOOKERS, scope: "search", touches: "properties" },
    query: { q: Q, limit: LIMIT_QUERY },
    readsReplica: true,
    success: { status: 200, description: "The places.", data: PlaceList },
    errors: [],
    tool: {
      title: "Find places",
      description:
        "Completes the beginning of a place's name to known places; their value is a destination.",
      tags: ["search", "places"],
      nextRel: "search",
      queryArguments: {
        q: describedAs(text(1, TEXT_MAX), "the beginning of a name"),
        limit: Type.Optional(
          describedInShort(
            describedAs(integer(1, LIMIT_MAX), `places at most; ${LIMIT} unless given`),
            `${LIMIT} unless given`,
          ),
        ),
      },
      example: { q: "Mun" },
    },
    handle: list,
  }),
];
