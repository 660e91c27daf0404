/** The tools that take a room: hold it, book it, and all that may follow. */
import { Type } from "@sinclair/typebox";
import { BookingBody, CancelBody, VerifyBody } from "../api/bookings/schemas.ts";
import { closed, Id, said, text } from "../http/schema/request-parts.ts";
import { bodyOf, type Tool, tool } from "./tool.ts";

const hold_id = said(Id, "data.hold_id of the answer of hold");
const booking_id = said(Id, "data.booking_id of the answer of book");
const quote_id = said(Id, "data.quote_id of the answer of quote");
const KEY_WORDS =
  "1 to 255 visible ASCII characters: a new key for each new intent, " +
  "the same idempotency_key when you retry";
const requiredKey = said(text(1, 255), KEY_WORDS);
const optionalKey = Type.Optional(requiredKey);
const delegation_token = Type.Optional(
  Type.String({
    pattern: "^[\\x21-\\x7e]+$",
    maxLength: 8_192,
    description: "the traveler's consent as a JWT, unless the X-Delegated-User header carries it",
  }),
);

/** The pattern of the route's own `subject` is one that only JavaScript reads. */
const receipt = Type.Object({
  ...VerifyBody.properties,
  subject: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

const RETRY = "On a timeout or a lost answer reuse the same idempotency_key when you retry.";

/** From hold to receipt. */
export const BOOKING: readonly Tool[] = [
  tool({
    id: "hold",
    title: "Hold a room",
    description:
      "Reserves the quoted room for some minutes, without payment. Then book before expires_at, " +
      `or release_hold if the traveler declines. ${RETRY} It gives the same hold again.`,
    method: "POST",
    path: "/v1/holds",
    input: closed({ quote_id, idempotency_key: requiredKey }),
    isReadOnly: false,
    takesKey: true,
    tags: ["hold", "inventory"],
    nextRel: "confirm",
  }),
  tool({
    id: "book",
    title: "Book a held room",
    description:
      "Confirms a hold, takes the payment and returns a signed receipt. Only after the traveler " +
      `agreed to the quote; needs the traveler's delegation token. ${RETRY} A new key would be ` +
      "a new booking attempt with a new payment.",
    method: "POST",
    path: "/v1/bookings",
    input: closed({
      ...bodyOf(BookingBody),
      ...{ hold_id, quote_id, idempotency_key: requiredKey, delegation_token },
    }),
    isReadOnly: false,
    isDestructive: true,
    isOpenWorld: true,
    needsDelegation: true,
    takesKey: true,
    tags: ["booking", "payment"],
    nextRel: "get",
  }),
  tool({
    id: "get_booking",
    title: "Get a booking",
    description:
      "The present state of a booking: stay, price, cancellation terms, payment, refunds and " +
      "receipts. Read it before cancel, and whenever an answer was lost.",
    method: "GET",
    path: "/v1/bookings/:id",
    input: closed({ booking_id }),
    pathArguments: { id: "booking_id" },
    tags: ["booking"],
    nextRel: "get_audit",
  }),
  tool({
    id: "cancel",
    title: "Cancel a booking",
    description:
      "Cancels a confirmed booking for good. The fee follows the terms frozen at booking; the " +
      "rest is refunded. Only on the traveler's word; needs the traveler's delegation token. " +
      RETRY,
    method: "POST",
    path: "/v1/bookings/:id/cancel",
    input: closed({
      booking_id,
      ...bodyOf(CancelBody),
      ...{ idempotency_key: optionalKey, delegation_token },
    }),
    pathArguments: { id: "booking_id" },
    isReadOnly: false,
    isDestructive: true,
    needsDelegation: true,
    takesKey: true,
    tags: ["booking", "cancellation", "refund"],
    nextRel: "get",
  }),
  tool({
    id: "get_audit",
    title: "Get a booking's audit trail",
    description:
      "Everything that happened to a booking, in order, each event chained to the one before by " +
      "its hash. Use it to prove or explain what happened.",
    method: "GET",
    path: "/v1/bookings/:id/audit",
    input: closed({ booking_id }),
    pathArguments: { id: "booking_id" },
    tags: ["booking", "audit"],
    nextRel: null,
  }),
  tool({
    id: "release_hold",
    title: "Release a hold",
    description:
      "Gives a held room back at once. Use it when the traveler declines or wants another room; " +
      "releasing twice does no harm. Then quote again if needed.",
    method: "POST",
    path: "/v1/holds/:id/release",
    input: closed({ hold_id, idempotency_key: optionalKey }),
    pathArguments: { id: "hold_id" },
    isReadOnly: false,
    takesKey: true,
    tags: ["hold", "inventory"],
    nextRel: "quote",
  }),
  tool({
    id: "verify_receipt",
    title: "Verify a receipt",
    description:
      "Tells whether a receipt was signed by this service and is unchanged. Send the receipt " +
      "object as it came with the booking or cancellation.",
    method: "POST",
    path: "/v1/receipts/verify",
    input: receipt,
    tags: ["receipt", "audit"],
    nextRel: null,
  }),
];
