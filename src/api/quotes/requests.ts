/** Body of `POST /v1/quotes`. */

import { type Static, Type } from "@sinclair/typebox";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  describedInShort,
  Guests,
  Id,
  idOf,
  PropertyRef,
  StaySchema,
} from "../../http/schema/request-parts.ts";
import { type Body, compile } from "../../http/validate.ts";
import { partyOf, stayProblems } from "../stays.ts";

/** Of quotes and holds: changes nothing there; their next actions carry it to the booking. */
export const AuthorizationId = Type.Optional(
  describedInShort(
    describedAs(Id, "text of 1 to 64 characters: an approved booking authorization"),
    "an approved one",
  ),
);

export const QuoteBody = called(
  "QuoteRequest",
  closed({
    hotel_id: describedInShort(
      describedAs(PropertyRef, "text of 1 to 120 characters: a property's id or slug"),
      "id or slug",
    ),
    room_type_id: describedInShort(idOf("the id or code of one of its room types"), "id or code"),
    rate_plan_id: describedInShort(
      idOf("the id or code of one of the room type's rate plans"),
      "id or code",
    ),
    stay: StaySchema,
    guests: Guests,
    authorization_id: AuthorizationId,
    idempotency_key: BodyKey,
  }),
);

const checkQuote = compile(QuoteBody);

/**
 * A quote body: schema, dates that exist, their order and length, all faults at once. That check-in
 * is not past is checked later, in the property's zone (`stayProblems`).
 */
export const quoteRequest: Body<QuoteRequest> = {
  schema: QuoteBody,
  read(body) {
    const { stay: rawStay } = (body ?? {}) as { readonly stay?: unknown };
    const errors = [...checkQuote(body), ...stayProblems(rawStay, Number.NEGATIVE_INFINITY)];
    if (errors.length > 0) return { ok: false, errors };
    const { hotel_id, room_type_id, rate_plan_id, stay, guests } = body as Static<typeof QuoteBody>;
    const value = { hotel_id, room_type_id, rate_plan_id, stay, guests: partyOf(guests) };
    return { ok: true, value };
  },
};

export const QuoteId = idOf("data.quote_id of the quote");
