/** Bookings, what can be read of them, cancellation, and receipts (spec 4.6, rules §7). */
import { Type } from "@sinclair/typebox";
import {
  Audit,
  Booking,
  BookingDetail,
  Cancellation,
  CancellationQuote,
  Refund,
  VerifiedReceipt,
} from "../../api/bookings/answers.ts";
import type { OperationTable } from "../../http/contract.ts";
import { BOOKING_ID, pathId } from "./params.ts";

export const bookingOperations: OperationTable = {
  "POST /v1/bookings": {
    id: "book",
    tag: "Bookings",
    summary: "Confirm a hold, take payment, get a signed receipt",
    description:
      "Needs the traveler's consent as a JWT in `X-Delegated-User`. Reuse the same " +
      "`Idempotency-Key` when you retry: after `payment_timeout` the outcome is open and only the " +
      "same key finds it. After `payment_failed` a new key and a new token try again on the same " +
      "hold.",
    success: {
      status: 201,
      description: "The booking, with its receipt.",
      data: Booking,
      hasReceipt: true,
    },
    errors: [
      "hold_not_found",
      "hold_expired",
      "hold_not_active",
      "quote_mismatch",
      "authorization_required",
      "booking_authorization_invalid",
      "payment_failed",
      "payment_provider_error",
      "payment_timeout",
      "service_not_configured",
    ],
  },
  "GET /v1/bookings/:id": {
    id: "get_booking",
    tag: "Bookings",
    summary: "Get a booking",
    description:
      "As it is now, with guest, history, refunds and all receipts: a lost answer loses no proof.",
    params: { id: BOOKING_ID },
    success: { status: 200, description: "The booking.", data: BookingDetail },
    errors: ["booking_not_found"],
  },
  "GET /v1/bookings/:id/audit": {
    id: "get_audit",
    tag: "Bookings",
    summary: "Get a booking's events",
    description: "From the hold on, hash-chained: each event's `prev_hash` is the `hash` before.",
    params: { id: BOOKING_ID },
    success: { status: 200, description: "The events, oldest first.", data: Audit },
    errors: ["booking_not_found"],
  },
  "GET /v1/bookings/:id/cancellation-quote": {
    id: "get_cancellation_quote",
    tag: "Bookings",
    summary: "See what a cancellation would cost",
    description: "Fee and refund by the policy that was frozen with the booking's quote.",
    params: { id: BOOKING_ID },
    query: {
      at: {
        schema: Type.String({ format: "date-time" }),
        description: "Instant of the cancellation; now unless given.",
      },
    },
    success: { status: 200, description: "Fee and refund.", data: CancellationQuote },
    errors: ["booking_not_found"],
  },
  "GET /v1/bookings/:id/refunds/:refund_id": {
    id: "get_refund",
    tag: "Bookings",
    summary: "Get a refund",
    description: "Once it has succeeded the envelope carries its `refund_issued` receipt.",
    params: { id: BOOKING_ID, refund_id: pathId("Id of the refund.") },
    success: { status: 200, description: "The refund.", data: Refund, hasReceipt: true },
    errors: ["booking_not_found"],
    hasUnlistedIds: true,
  },
  "POST /v1/bookings/:id/cancel": {
    id: "cancel",
    tag: "Bookings",
    summary: "Cancel a booking",
    description:
      "The fee comes from the policy frozen with the booking, never from the present one. Needs " +
      "the booking's own traveler in `X-Delegated-User`. The room is on sale again at once.",
    params: { id: BOOKING_ID },
    success: {
      status: 200,
      description: "The cancellation, with its receipt.",
      data: Cancellation,
      hasReceipt: true,
    },
    errors: ["booking_not_found", "resource_access_denied", "booking_not_cancellable"],
  },
  "POST /v1/receipts/verify": {
    id: "verify_receipt",
    tag: "Receipts",
    summary: "Verify a receipt",
    description:
      "Send a receipt as it came. One that does not verify is `validation_failed` on `/signature`.",
    success: { status: 200, description: "The receipt is genuine.", data: VerifiedReceipt },
    errors: [],
  },
};
