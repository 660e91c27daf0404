/** `POST /v1/search`: the typed form (spec 4.4) and the flat form of the guides (domain §0). */

import { type Static, Type } from "@sinclair/typebox";
import type { Party, Stay } from "../../../engine/core/quote.ts";
import { Money } from "../../http/schema/answer-parts.ts";
import {
  CivilDate,
  Currency,
  called,
  closed,
  Guests,
  oneOf,
  StaySchema,
  shownAs,
  toldAtLength,
} from "../../http/schema/request-parts.ts";
import { inAnyCase } from "../../http/schema/told.ts";
import { type Body, compile, type Reading } from "../../http/validate.ts";
import { CANCELLATION_KINDS, MealPlan } from "../properties/vocabularies.ts";
import { partyOf, stayProblems } from "../stays.ts";

/** `free_cancellation` asks for what costs nothing to cancel as of now, whatever its kind. */
const CancellationWish = called(
  "CancellationWish",
  toldAtLength(
    oneOf(["free_cancellation", ...CANCELLATION_KINDS]),
    "`free_cancellation`: what can still be cancelled free of charge; else terms of one kind.",
  ),
);

const Constraints = called(
  "SearchConstraints",
  closed({
    max_price_per_night: Type.Optional(
      shownAs(
        closed({
          amount: Type.Integer({
            minimum: 0,
            description: "an integer of at least 0, in minor units: 10600 is 106.00 euros",
          }),
          currency: Currency,
        }),
        Money,
      ),
    ),
    meal_plan: Type.Optional(inAnyCase(MealPlan)),
    cancellation: Type.Optional(inAnyCase(CancellationWish)),
  }),
);

/** What a destination's `value` means follows from its `type` (domain §0). */
const DestinationValue = Type.String({
  description:
    "text: for an area a city, region or country by name or code; for a property its id, slug " +
    "or name",
});

const SearchBody = closed({
  destination: Type.Optional(
    called("Destination", closed({ type: oneOf(["area", "property"]), value: DestinationValue })),
  ),
  stay: StaySchema,
  guests: Guests,
  constraints: Type.Optional(Constraints),
});

const FlatSearchBody = closed({
  destination: Type.Optional(Type.String()),
  check_in: CivilDate,
  check_out: CivilDate,
  guests: Guests,
  constraints: Type.Optional(Constraints),
});

type Typed = Static<typeof SearchBody>;
type Flat = Static<typeof FlatSearchBody>;

/** A search in the typed form with the defaults filled in. */
export interface SearchRequest extends Pick<Typed, "destination" | "constraints"> {
  readonly stay: Stay;
  readonly guests: Party;
}

const checkTyped = compile(SearchBody);
const checkFlat = compile(FlatSearchBody);

/**
 * A search body in either form; the flat one becomes an `area` search. A body that mixes them is
 * judged as flat, which refuses `stay` and an object for `destination`.
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

/** The earliest civil date anywhere: today at UTC−12 (rules §4). */
function earliestToday(nowMs: number): number {
  return Math.floor((nowMs - 12 * HOUR_MS) / DAY_MS);
}

function isFlat(body: unknown): body is object {
  if (typeof body !== "object" || body === null) return false;
  if (Object.hasOwn(body, "check_in") || Object.hasOwn(body, "check_out")) return true;
  return "destination" in body && typeof body.destination === "string" && !("stay" in body);
}

function readTyped(body: unknown, todayDay: number): Reading<SearchRequest> {
  const { stay: rawStay } = (body ?? {}) as { readonly stay?: unknown };
  const errors = [...checkTyped(body), ...stayProblems(rawStay, todayDay)];
  if (errors.length > 0) return { ok: false, errors };
  const { guests, ...rest } = body as Typed;
  return { ok: true, value: { ...rest, guests: partyOf(guests) } };
}

function readFlat(body: object, todayDay: number): Reading<SearchRequest> {
  const errors = [...checkFlat(body), ...stayProblems(body, todayDay, "")];
  if (errors.length > 0) return { ok: false, errors };
  const { destination, check_in, check_out, guests, constraints } = body as Flat;
  const value: SearchRequest = {
    ...(destination !== undefined && { destination: { type: "area", value: destination } }),
    stay: { check_in, check_out },
    guests: partyOf(guests),
    ...(constraints && { constraints }),
  };
  return { ok: true, value };
}
