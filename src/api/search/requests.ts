/** `POST /v1/search`: the typed form and the flat form of the guides. */
import { type Static, Type } from "@sinclair/typebox";
import type { Party, Stay } from "../../../engine/core/price/quote.ts";
import { GEO_URI_FORM, isGeoUri, parseGeoUri } from "../../../engine/core/search/places/geo-uri.ts";
import { SORTS } from "../../../engine/core/search/query.ts";
import { AMENITIES_MAX } from "../../../engine/core/search/room-requirements.ts";
import { searchedWord } from "../../http/schema/annotations.ts";
import { Money } from "../../http/schema/answer-parts.ts";
import {
  CivilDate,
  Currency,
  called,
  closed,
  describedInShort,
  documented,
  Guests,
  oneOf,
  StaySchema,
  shownAs,
} from "../../http/schema/request-parts.ts";
import { type Body, compile, type FieldError, type Reading } from "../../http/validate.ts";
import { CANCELLATION_KINDS, MealPlan } from "../properties/vocabularies.ts";
import { Refundability } from "../quotes/responses.ts";
import { partyOf, stayProblems } from "../stays.ts";

/** `free_cancellation` matches all offers that are free to cancel now, whatever their kind. */
const CancellationWish = called(
  "CancellationWish",
  documented(
    oneOf(["free_cancellation", ...CANCELLATION_KINDS]),
    "`free_cancellation`: offers that can still be cancelled free of charge; else terms of one " +
      "kind.",
  ),
);

const Constraints = called(
  "SearchConstraints",
  closed({
    max_price_per_night: Type.Optional(
      shownAs(
        closed({
          amount: describedInShort(
            Type.Integer({
              minimum: 0,
              description: "an integer of at least 0, in minor units: 10600 is 106.00 euros",
            }),
            "minor units: 10600 is 106.00",
          ),
          currency: Currency,
        }),
        Money,
      ),
    ),
    meal_plan: Type.Optional(searchedWord(MealPlan)),
    cancellation: Type.Optional(searchedWord(CancellationWish)),
    min_star_rating: Type.Optional(
      describedInShort(
        Type.Number({
          ...{ minimum: 0, maximum: 7 },
          description: "a number from 0 to 7: minimum stars; unrated hotels have less than 0",
        }),
        "0 to 7",
      ),
    ),
    amenities: Type.Optional(
      describedInShort(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: AMENITIES_MAX,
          description:
            `codes of at most ${AMENITIES_MAX} amenities (\`wifi\`, \`pool\`); the property and the ` +
            "room type together have all of them",
        }),
        "codes, all of them",
      ),
    ),
    bed_type: Type.Optional(
      describedInShort(
        Type.String({
          maxLength: 200,
          description: "words in the room's bed type: `king`, `2 single beds`",
        }),
        "words of it: king",
      ),
    ),
    refundability: Type.Optional(searchedWord(Refundability)),
  }),
);

const SortOrder = called(
  "SortOrder",
  documented(
    oneOf(SORTS),
    "Order of results. `rank`: best first; `price`: lowest total first; `distance`: nearest to " +
      "the point first, by rank without a point. By default, results around a point are ordered by " +
      "distance, all others by rank.",
  ),
);

/** The `type` of a destination decides how its `value` is read. */
const DestinationValue = describedInShort(
  Type.String({
    description:
      "text: for an area the name of a place (`Munich`, `München`, `Madrid, Spain`, `USA`, " +
      "`JFK`) or a point as a URI of RFC 5870 (`geo:41.3874,2.1686;u=3000`: within 3,000 " +
      "metres); for a property its id, slug or name",
  }),
  "an area's name, code, airport or geo:<lat>,<lng>;u=<metres>; or a property's id, slug or name",
);

const SearchBody = closed({
  destination: Type.Optional(
    called("Destination", closed({ type: oneOf(["area", "property"]), value: DestinationValue })),
  ),
  stay: StaySchema,
  guests: Guests,
  constraints: Type.Optional(Constraints),
  sort: Type.Optional(SortOrder),
});

const FlatSearchBody = closed({
  destination: Type.Optional(Type.String()),
  check_in: CivilDate,
  check_out: CivilDate,
  guests: Guests,
  constraints: Type.Optional(Constraints),
  sort: Type.Optional(SortOrder),
});

type Typed = Static<typeof SearchBody>;
type Flat = Static<typeof FlatSearchBody>;

/** A search in the typed form with the defaults filled in. */
export interface SearchRequest extends Pick<Typed, "destination" | "constraints" | "sort"> {
  readonly stay: Stay;
  readonly guests: Party;
}

const checkTyped = compile(SearchBody);
const checkFlat = compile(FlatSearchBody);

/**
 * A search body in either form; the flat one becomes an `area` search. A body that mixes them is
 * checked as flat, which rejects `stay` and an object for `destination`.
 */
export const searchRequest: Body<SearchRequest> = {
  schema: SearchBody,
  read(body, nowMs) {
    const todayDay = earliestToday(nowMs);
    return isFlat(body) ? readFlat(body, todayDay) : readTyped(body, todayDay);
  },
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The earliest civil date anywhere: today at UTC−12. */
function earliestToday(nowMs: number): number {
  return Math.floor((nowMs - 12 * HOUR_MS) / DAY_MS);
}

function isFlat(body: unknown): body is object {
  if (typeof body !== "object" || body === null) return false;
  if (Object.hasOwn(body, "check_in") || Object.hasOwn(body, "check_out")) return true;
  return "destination" in body && typeof body.destination === "string" && !("stay" in body);
}

/** Errors of a point; a name is never invalid, at worst it is unknown. */
function pointProblems(value: unknown, path: string): FieldError[] {
  if (typeof value !== "string" || !isGeoUri(value) || parseGeoUri(value)) return [];
  return [{ path, message: "is malformed", expected: GEO_URI_FORM }];
}

function readTyped(body: unknown, todayDay: number): Reading<SearchRequest> {
  const { stay: rawStay } = (body ?? {}) as { readonly stay?: unknown };
  const { destination } = (body ?? {}) as { readonly destination?: unknown };
  const { type, value } = (destination ?? {}) as { readonly type?: unknown; value?: unknown };
  const isArea = type === "area";
  const errors = [
    ...checkTyped(body),
    ...stayProblems(rawStay, todayDay),
    ...(isArea ? pointProblems(value, "/destination/value") : []),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const { guests, ...rest } = body as Typed;
  return { ok: true, value: { ...rest, guests: partyOf(guests) } };
}

function readFlat(body: object, todayDay: number): Reading<SearchRequest> {
  const { destination: place } = body as { readonly destination?: unknown };
  const errors = [
    ...checkFlat(body),
    ...stayProblems(body, todayDay, ""),
    ...pointProblems(place, "/destination"),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const { destination, check_in, check_out, guests, constraints, sort } = body as Flat;
  const value: SearchRequest = {
    ...(destination !== undefined && { destination: { type: "area", value: destination } }),
    stay: { check_in, check_out },
    guests: partyOf(guests),
    ...(constraints && { constraints }),
    ...(sort && { sort }),
  };
  return { ok: true, value };
}
