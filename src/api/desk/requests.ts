/** Bodies of what the property writes: bookings, notes, refunds. */
import { type Static, Type } from "@sinclair/typebox";
import { TOTAL_MAX } from "../../../engine/core/price/price-bounds.ts";
import { OPERATOR_REASONS } from "../../../engine/core/refund-words.ts";
import { OtherMethod } from "../../http/schema/answer-parts.ts";
import {
  BodyKey,
  CivilDate,
  called,
  closed,
  describedAs,
  documented,
  idOf,
  integer,
  oneOf,
  PropertyRef,
  text,
} from "../../http/schema/request-parts.ts";
import { Guest, ProviderToken } from "../bookings/requests.ts";
import { QuoteId } from "../quotes/requests.ts";
import { BOOKING_STATES } from "./parameters.ts";

const Note = Type.Optional(
  describedAs(text(0, 500), "text of at most 500 characters, stored encrypted for the property"),
);

/** `amount` in minor units of the booking's currency. */
export const RefundBody = closed({
  amount: Type.Optional(
    describedAs(integer(1, TOTAL_MAX), "minor units, at least 1; all that remains if left out"),
  ),
  reason: oneOf(OPERATOR_REASONS),
  note: Note,
  idempotency_key: BodyKey,
});
export type RefundRequest = Static<typeof RefundBody>;

/** How a guest at the desk or on the telephone pays. */
const DESK_METHODS = ["at_property", "card"] as const;

const DeskPayment = called(
  "DeskPaymentInput",
  closed({
    method: describedAs(
      oneOf(DESK_METHODS),
      "at_property: nothing is paid now; card: with a provider_token",
    ),
    provider_token: Type.Optional(ProviderToken),
  }),
);

export const DeskBookingBody = closed({
  hold_id: idOf("data.hold_id of a hold of your own"),
  quote_id: QuoteId,
  guest: Guest.asked,
  payment: documented(DeskPayment, "How the guest pays."),
  special_requests: Type.Optional(text(0, 2000)),
  idempotency_key: BodyKey,
});
export type DeskBookingRequest = Static<typeof DeskBookingBody>;

export const GuestSearchBody = closed({
  guest: describedAs(text(2, 200), "text of 2 to 200 characters: parts of the name, in any order"),
  property_id: Type.Optional(PropertyRef),
  state: Type.Optional(oneOf(BOOKING_STATES)),
  check_in_from: Type.Optional(CivilDate),
  check_in_to: Type.Optional(CivilDate),
  after: Type.Optional(idOf("next_after of the answer that this search continues")),
});
export type GuestSearchRequest = Static<typeof GuestSearchBody>;

/** Longest note. */
const NOTE_CHARS_MAX = 2000;

export const BookingNoteBody = closed({
  text: Type.String({
    ...{ minLength: 1, maxLength: NOTE_CHARS_MAX, pattern: "\\S" },
    description: `text of 1 to ${NOTE_CHARS_MAX} characters, not blank`,
  }),
  idempotency_key: BodyKey,
});
export type BookingNoteRequest = Static<typeof BookingNoteBody>;

export const SettleElsewhereBody = closed({
  method: OtherMethod,
  note: Note,
  idempotency_key: BodyKey,
});
export type SettleElsewhereRequest = Static<typeof SettleElsewhereBody>;
