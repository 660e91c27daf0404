/** Reads of bookings, audits, cancellation terms and refunds, from the projections. */
import { Type } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import { feeAt } from "../../../engine/core/price/policy.ts";
import type { Booking } from "../../../engine/core/records.ts";
import { action, permitted } from "../../actions/next-action.ts";
import { GET_BOOKING } from "../../actions/steps.ts";
import { type Refusal, refuse, type Success, unknownId } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { hasRow } from "../../http/freshness.ts";
import { route } from "../../http/route.ts";
import { describedAs, describedInShort } from "../../http/schema/request-parts.ts";
import { BOOKERS } from "../callers.ts";
import { BOOKING_ID, Instant, instantParameter, pathId } from "../parameters.ts";
import { BOOKING_ARGUMENT, EXAMPLE, REFUND_ARGUMENT } from "../tool-arguments.ts";
import { bookingOf } from "../visible.ts";
import { bookingActions, cancellationCost, previewActions } from "./actions.ts";
import { auditEvents } from "./audit.ts";
import { travelerOf } from "./personal-fields.ts";
import { Audit, BookingDetail, CancellationQuote, Refund } from "./responses.ts";
import { bookingDetail, refundOut, refundsOf, withRemaining } from "./views.ts";

const AT = instantParameter("Instant of the cancellation; now by default.");

const AT_ARGUMENT = Type.Optional(
  describedInShort(
    describedAs(Instant, "an instant as RFC 3339, like 2026-12-18T14:00:00Z; now unless given"),
    "RFC 3339 instant; now unless given",
  ),
);

type AtBooking = Call<unknown, "id">;

function withBooking<C extends AtBooking, A>(read: (call: C, booking: Booking) => A) {
  return (call: C): A | Refusal => {
    const booking = bookingOf(call, call.params.id);
    return "code" in booking ? booking : read(call, booking);
  };
}

function show({ context, principal, may }: AtBooking, booking: Booking): Success {
  const actions = bookingActions(withRemaining(context, booking), context.timeIn(principal), may);
  return { ok: true, data: bookingDetail(context, booking), actions };
}

/**
 * The hold's quote is rendered with its version of the property: a replica without that version
 * would have to omit a part, which changes the hash.
 */
async function audit(
  { context, principal, may }: AtBooking,
  booking: Booking,
): Promise<Success | Refusal> {
  const { booking_id, traveler } = booking;
  if (!(await hasRow(context.replica, booking.rows[0] ?? 0))) {
    return refuse("upstream_unavailable", { upstream: "replica" });
  }
  const data = {
    booking_id,
    traveler: travelerOf(context, booking_id, traveler.iss),
    events: auditEvents(context, booking),
  };
  return {
    ok: true,
    data,
    actions: bookingActions(withRemaining(context, booking), context.timeIn(principal), may),
  };
}

function cancellationQuote(
  { context, principal, query, may }: AtBooking,
  booking: Booking,
): Success {
  const asked = query.get("at");
  const atMs = asked === undefined ? context.timeIn(principal) : Date.parse(asked);
  const step = withRemaining(context, booking);
  const data = cancellationQuoteAt(step, atMs);
  return { ok: true, data, actions: previewActions(step, context.timeIn(principal), may) };
}

/** Fee and refund of a cancellation at an instant. */
export function cancellationQuoteAt(booking: ReturnType<typeof withRemaining>, atMs: number) {
  const { quote, booking_id, state } = booking;
  const { fee, refund, until } = cancellationCost(booking, atMs);
  return {
    booking_id,
    state,
    is_cancellable: state === "confirmed",
    at: instantIso(atMs),
    fee,
    refund,
    tier_index: feeAt(quote.fees, atMs).tier_index,
    next_cutoff_at: until,
    policy: { hash: quote.policy_hash },
  };
}

function refund(call: Call<unknown, "id" | "refund_id">, booking: Booking): Success | Refusal {
  const { context, params, may } = call;
  const found = refundsOf(context, booking).find((each) => each.refund_id === params.refund_id);
  const { booking_id } = booking;
  if (!found) {
    const expected = "the id of a refund of this booking";
    return unknownId("/refund_id", expected, GET_BOOKING, { booking_id });
  }
  const path = `/v1/bookings/${booking_id}`;
  const actions = permitted([action("get", "GET", path)], may);
  const receipt = found.receipt ? { receipt: found.receipt } : {};
  return { ok: true, data: refundOut(found), actions, ...receipt };
}

const READ = {
  tag: "Bookings",
  method: "GET",
  access: { kinds: BOOKERS, scope: "bookings:read", touches: "properties" },
  params: { id: BOOKING_ID },
  readsReplica: true,
  errors: ["booking_not_found"],
} as const;

const TOOL = {
  pathArguments: { id: "booking_id" },
  arguments: { booking_id: BOOKING_ARGUMENT },
  example: { booking_id: EXAMPLE.booking_id },
} as const;

export const bookingReadRoutes = [
  route({
    ...READ,
    id: "get_booking",
    path: "/v1/bookings/:id",
    summary: "Get a booking",
    description: "The booking with guest, history, refunds and all receipts.",
    success: { status: 200, description: "The booking.", data: BookingDetail },
    tool: {
      ...TOOL,
      title: "Get a booking",
      description:
        "A booking's state, stay, price, cancellation terms, payment, refunds and receipts. Read " +
        "it before cancel, or when an answer was lost.",
      tags: ["booking"],
      nextRel: "get_audit",
    },
    handle: withBooking(show),
  }),
  route({
    ...READ,
    id: "get_audit",
    path: "/v1/bookings/:id/audit",
    summary: "Get a booking's events",
    description:
      "From the hold on, hash-chained: each event's `prev_hash` is the `hash` of the previous one.",
    errors: ["booking_not_found", "upstream_unavailable"],
    success: { status: 200, description: "The events, oldest first.", data: Audit },
    tool: {
      ...TOOL,
      title: "Get a booking's audit trail",
      description: "All that happened to a booking, in order and chained by hashes, as proof.",
      tags: ["booking", "audit"],
      nextRel: null,
    },
    handle: withBooking(audit),
  }),
  route({
    ...READ,
    id: "get_cancellation_quote",
    path: "/v1/bookings/:id/cancellation-quote",
    summary: "Preview a cancellation",
    description: "Fee and refund by the policy frozen with the booking's quote.",
    query: { at: AT },
    success: { status: 200, description: "Fee and refund.", data: CancellationQuote },
    tool: {
      ...TOOL,
      title: "See what cancelling would cost",
      description:
        "Fee and refund of a cancellation by the booking's frozen terms. Show it to the traveler " +
        "before cancel.",
      tags: ["booking", "cancellation"],
      nextRel: "cancel",
      queryArguments: { at: AT_ARGUMENT },
    },
    handle: withBooking(cancellationQuote),
  }),
  route({
    ...READ,
    id: "get_refund",
    path: "/v1/bookings/:id/refunds/:refund_id",
    summary: "Get a refund",
    description: "After success the envelope has its `refund_issued` receipt.",
    params: { id: BOOKING_ID, refund_id: pathId("Id of the refund.") },
    success: { status: 200, description: "The refund.", data: Refund, hasReceipt: true },
    hasUnlistedIds: true,
    tool: {
      title: "Get a refund",
      description:
        "A refund's state, and its signed receipt once the money is on its way. Read it after " +
        "cancel.",
      tags: ["booking", "refund"],
      nextRel: "get",
      pathArguments: { id: "booking_id", refund_id: "refund_id" },
      arguments: { booking_id: BOOKING_ARGUMENT, refund_id: REFUND_ARGUMENT },
      example: { booking_id: EXAMPLE.booking_id, refund_id: EXAMPLE.refund_id },
    },
    handle: withBooking(refund),
  }),
];
