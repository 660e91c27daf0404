/** Bodies of quotes, holds, bookings, cancellations and receipt checks (spec 4.6, rules §7). */
import { type Static, Type } from "@sinclair/typebox";
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import {
  BodyKey,
  closed,
  Guests,
  Id,
  mapOf,
  oneOf,
  StaySchema,
  said,
  text,
} from "../../http/schema/request-parts.ts";
import { compile } from "../../http/validate.ts";
import { stayProblems } from "../quotes/stay-problems.ts";
import { type Parsed, partyOf } from "../search/schemas.ts";

function idOf(what: string) {
  return said(Id, `text of 1 to 64 characters: ${what}`);
}

export const QuoteBody = closed({
  hotel_id: idOf("a property's id"),
  room_type_id: idOf("the id of one of its room types"),
  rate_plan_id: idOf("the id of one of the room type's rate plans"),
  stay: StaySchema,
  guests: Guests,
  idempotency_key: BodyKey,
});

const QuoteId = idOf("data.quote_id of the quote");

export const HoldBody = closed({ quote_id: QuoteId, idempotency_key: BodyKey });

/** Extend, release and every other write that says all in its path. */
export const EmptyBody = closed({ idempotency_key: BodyKey });

/** Each part of the pattern excludes what ends it, so that no text makes it backtrack. */
const Email = Type.String({
  pattern: "^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$",
  maxLength: 254,
  description: "an e-mail address",
});
const FullName = said(text(1, 200), "text of 1 to 200 characters: a name as in the passport");

export const BookingBody = closed({
  hold_id: idOf("data.hold_id of the hold"),
  quote_id: QuoteId,
  guest: closed({
    primary: closed({
      full_name: FullName,
      email: Email,
      phone: Type.Optional(text(4, 32)),
    }),
    additional: Type.Optional(Type.Array(closed({ full_name: FullName }), { maxItems: 39 })),
  }),
  payment: closed({
    method: said(text(1, 40), "text of 1 to 40 characters: how it is paid, such as card"),
    provider_token: said(
      text(1, 512),
      "text of 1 to 512 characters: the payment provider's token, never a card number",
    ),
    billing_country: Type.Optional(
      Type.String({ pattern: "^[A-Za-z]{2}$", description: "two letters (ISO 3166-1)" }),
    ),
  }),
  special_requests: Type.Optional(text(0, 2000)),
  authorization_id: Type.Optional(idOf("an approved booking authorization")),
  idempotency_key: BodyKey,
});
export type BookingRequest = Static<typeof BookingBody>;

export const CancelBody = closed({
  reason_code: Type.Optional(text(1, 64)),
  note: Type.Optional(text(0, 2000)),
  idempotency_key: BodyKey,
});
export type CancelRequest = Static<typeof CancelBody>;

/** A whole receipt may be sent back as it came: what else it carries is not refused. */
export const VerifyBody = Type.Object({
  kind: oneOf(["booking_confirmed", "booking_cancelled", "refund_issued"]),
  subject: mapOf(
    "^(?!(__proto__|constructor|prototype)$)[^]+$",
    Type.Union([Type.String(), Type.Number()]),
  ),
  issued_at: text(1, 64),
  issuer: text(1, 2048),
  signature: text(1, 512),
  payload_hash: Type.Optional(Type.String()),
  algorithm: Type.Optional(Type.String()),
  kid: Type.Optional(Type.String()),
});
export type VerifyRequest = Static<typeof VerifyBody>;

export const checkHold = compile(HoldBody);
export const checkBooking = compile(BookingBody);
export const checkVerify = compile(VerifyBody);
/** For the two below, no body at all is checked as `{}`. */
export const checkCancel = compile(CancelBody);
export const checkEmpty = compile(EmptyBody);

const checkQuote = compile(QuoteBody);

/**
 * Reads a quote body: schema, dates that exist, their order and length, all faults at once. That
 * check-in is not past is asked later, in the property's zone (rules §1 step 9, `stayProblems`).
 */
export function parseQuote(body: unknown): Parsed<QuoteRequest> {
  const { stay: rawStay } = (body ?? {}) as { readonly stay?: unknown };
  const errors = [...checkQuote(body), ...stayProblems(rawStay, Number.NEGATIVE_INFINITY)];
  if (errors.length > 0) return { ok: false, errors };
  const { hotel_id, room_type_id, rate_plan_id, stay, guests } = body as Static<typeof QuoteBody>;
  const request = { hotel_id, room_type_id, rate_plan_id, stay, guests: partyOf(guests) };
  return { ok: true, request };
}
