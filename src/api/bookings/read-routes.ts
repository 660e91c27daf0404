/** Reading bookings, their audit, their cancellation terms and refunds; from the projections. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { canonicalJson } from "../../../engine/core/canonical.ts";
import type { Event, Row } from "../../../engine/core/events.ts";
import { feeAt } from "../../../engine/core/policy.ts";
import type { Booking, Refund } from "../../../engine/core/records.ts";
import { isHiddenFrom } from "../../../engine/core/visibility.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import type { Deps } from "../../http/deps.ts";
import { action, bookingActions, permitted } from "../../http/next-actions.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import { callerOf } from "../holds/routes.ts";
import { unfolded } from "./render.ts";
import { noteOf, personalData } from "./traveler.ts";

const ACCESS = { kinds: ["agent", "operator", "service"], scope: "bookings:read" } as const;

type Reader = (call: Call, booking: Booking) => Response;

/** Answers `booking_not_found` for ids that are unknown or another's, alike. */
function withBooking(read: Reader): (call: Call) => Response {
  return (call) => {
    const id = call.params.id ?? "";
    const booking = call.deps.replica.records.booking(id);
    if (!booking || isHiddenFrom(callerOf(call), booking)) {
      return bad(call, { code: "booking_not_found", detail: { booking_id: id } });
    }
    call.deps.replica.catchUp(2);
    return read(call, booking);
  };
}

function show(call: Call, booking: Booking): Response {
  const { quote, booking_id, state } = booking;
  const personal = personalData(call.deps, booking);
  const data = {
    booking_id,
    confirmation_code: booking.confirmation_code,
    state,
    hold_id: booking.hold_id,
    quote_id: quote.quote_id,
    property_id: booking.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    ...unfolded(call, quote),
    payment: paymentOut(call.deps, booking),
    traveler: { iss: booking.traveler.iss, sub: personal?.traveler_sub ?? null },
    created_at: instantIso(booking.created_at),
    version: booking.version,
    guest: personal?.guest ? JSON.parse(personal.guest) : null,
    special_requests: personal?.special_requests ?? null,
    history: booking.history.map((entry) => ({ ...entry, at: instantIso(entry.at) })),
    refunds: refundsOf(call.deps, booking).map(refundOut),
    cancellation: cancellationOut(call.deps, booking),
    receipts: booking.receipts,
  };
  return good(call, { data, actions: bookingActions({ booking_id, state }, call.may) });
}

function paymentOut(deps: Deps, booking: Booking) {
  const payment = booking.payment_id && deps.replica.records.payment(booking.payment_id);
  if (!payment) return null;
  const { payment_id, state, amount, currency, refunded } = payment;
  return { payment_id, state, amount, currency, refunded };
}

function refundsOf(deps: Deps, booking: Booking): Refund[] {
  const found = booking.refund_ids.map((id) => deps.replica.records.refund(id));
  return found.filter((refund) => refund !== null);
}

function refundOut(refund: Refund) {
  const { refund_id, booking_id, payment_id, amount, currency, state, reason } = refund;
  const created_at = instantIso(refund.created_at);
  return { refund_id, booking_id, payment_id, amount, currency, state, reason, created_at };
}

function cancellationOut(deps: Deps, booking: Booking) {
  const { cancellation, quote } = booking;
  if (!cancellation) return null;
  const { currency } = quote;
  return {
    cancelled_at: instantIso(cancellation.cancelled_at),
    fee: { amount: cancellation.fee, currency },
    refund: { amount: cancellation.refund, currency, refund_id: cancellation.refund_id },
    tier_index: cancellation.tier_index,
    reason_code: cancellation.reason_code,
    note: noteOf(deps, booking),
  };
}

/** Whether an event of one of the booking's rows is about it; a row can carry others' expiries. */
function concerns(event: Event, booking: Booking): boolean {
  const { data } = event as { data: { booking_id?: unknown; hold_id?: unknown } };
  return data.booking_id === booking.booking_id || data.hold_id === booking.hold_id;
}

/** The booking's events, each with its hash over the one before (rules §8). */
function auditEvents(rows: readonly Row[], booking: Booking) {
  let prev_hash: string | null = null;
  return rows.flatMap((row) =>
    row.events
      .filter((event) => concerns(event, booking))
      .map((event) => {
        const { seq, type, data } = event;
        const body = {
          ...{ seq, type },
          at: instantIso(row.stamp),
          actor: row.actor,
          trace_id: row.trace_id,
          data,
          prev_hash,
        };
        const hash = `sha256:${Bun.SHA256.hash(canonicalJson(body), "hex")}`;
        prev_hash = hash;
        return { ...body, hash };
      }),
  );
}

function audit(call: Call, booking: Booking): Response {
  const { replica } = call.deps;
  const rows = booking.rows.map((row) => replica.row(row)).filter((row) => row !== null);
  const { booking_id, state } = booking;
  const data = { booking_id, events: auditEvents(rows, booking) };
  return good(call, { data, actions: bookingActions({ booking_id, state }, call.may) });
}

function cancellationQuote(call: Call, booking: Booking): Response {
  const asked = call.query.get("at");
  const atMs = asked === undefined ? call.deps.now() : instantOf(asked);
  if (Number.isNaN(atMs)) {
    const expected = "an RFC 3339 instant such as 2026-12-18T14:00:00Z";
    return invalid(call, [{ path: "?at", message: "is not an instant", expected }]);
  }
  const { quote, booking_id, state } = booking;
  const { fee, tier_index, next_change_at } = feeAt(quote.fees, atMs);
  const { currency } = quote;
  const data = {
    booking_id,
    state,
    is_cancellable: state === "confirmed",
    at: instantIso(atMs),
    fee: { amount: fee, currency },
    refund: { amount: quote.due_now - fee, currency },
    tier_index,
    next_cutoff_at: next_change_at === null ? null : instantIso(next_change_at),
    policy: { hash: quote.policy_hash },
  };
  return good(call, { data, actions: bookingActions({ booking_id, state }, call.may) });
}

/** Epoch milliseconds of an RFC 3339 instant, NaN for anything else. */
function instantOf(text: string): number {
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(
    text,
  );
  return isInstant ? Date.parse(text) : Number.NaN;
}

function refund(call: Call, booking: Booking): Response {
  const id = call.params.refund_id ?? "";
  const found = booking.refund_ids.includes(id) ? call.deps.replica.records.refund(id) : null;
  if (!found) {
    const expected = "the id of a refund of this booking";
    const errors = [{ path: "/refund_id", message: "is unknown", expected }];
    return bad(call, {
      code: "validation_failed",
      status: 404,
      detail: { field_errors: errors },
    });
  }
  const path = `/v1/bookings/${booking.booking_id}`;
  const actions = permitted([action("get", "GET", path)], call.may);
  const receipt = found.receipt ? { receipt: found.receipt } : {};
  return good(call, { data: refundOut(found), actions, ...receipt });
}

const READ = { method: "GET", access: ACCESS } as const;

export const bookingReadRoutes: readonly ProtectedRoute[] = [
  { ...READ, path: "/v1/bookings/:id", handle: withBooking(show) },
  { ...READ, path: "/v1/bookings/:id/audit", handle: withBooking(audit) },
  {
    ...READ,
    path: "/v1/bookings/:id/cancellation-quote",
    query: ["at"],
    handle: withBooking(cancellationQuote),
  },
  { ...READ, path: "/v1/bookings/:id/refunds/:refund_id", handle: withBooking(refund) },
];
