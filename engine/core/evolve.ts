/**
 * evolve(state, row): folds one journal row into the state. The engine folds what it decides;
 * replicas and recovery fold what they read; all states end equal, bit for bit.
 *
 * `sink` receives aggregates that leave memory or never enter it (finished holds, bookings, settled
 * payments, refunds). Only the engine and a rebuild pass one; replicas read the projections
 * instead.
 */

import { bookingChanged, bookingConfirmed } from "./bookings/booking-fold.ts";
import { clockCorrected } from "./due/clock-fold.ts";
import type { Event, LossAccepted, Row } from "./events/event.ts";
import type { NoticeEvent } from "./events/notices.ts";
import { PlacedHold } from "./holds/placed-hold.ts";
import { holdEnded, placeUnits } from "./holds/units.ts";
import {
  paymentCaptured,
  paymentFailed,
  paymentPending,
  paymentUnknown,
  refundRequested,
  refundSettled,
} from "./payments/payment-fold.ts";
import { applyAri, applyHorizon } from "./properties/ari-fold.ts";
import {
  applyPropertyCreated,
  applyPropertyDeleted,
  applyPropertyReplaced,
  applyPropertyState,
} from "./properties/tree-fold.ts";
import type { Hold, RecordSink } from "./records.ts";
import { noteEventRow } from "./state/event-rows.ts";
import type { State } from "./state/state.ts";

/** Applies every event of the row; sets `state.row`. */
export function evolve(state: State, row: Row, sink: RecordSink | null): void {
  for (const event of row.events) {
    if (row.tenant_id !== "") noteEvent(state, event.seq, row);
    apply(state, event, row, sink);
  }
  if (row.phase === "sealed" && row.key !== null) keySealed(state, row.key.key);
  state.row = row.row;
  state.stamp = row.stamp;
}

function noteEvent(state: State, seq: number, { tenant_id, mode, row }: Row): void {
  const tenant = state.tenant(tenant_id);
  tenant.seq[mode] = seq;
  noteEventRow(tenant.rows[mode], seq, row);
}

function keySealed(state: State, key: string): void {
  // Usually no key waits, and a look-up would cost a hash.
  if (state.refundsByKey.size === 0) return;
  const refundId = state.refundsByKey.get(key);
  if (refundId === undefined) return;
  state.refundsByKey.delete(key);
  state.awaitingRefund.delete(refundId);
}

function apply(state: State, event: Event, row: Row, sink: RecordSink | null): void {
  switch (event.type) {
    case "property.created":
      return applyPropertyCreated(state, event, row);
    case "property.replaced":
      return applyPropertyReplaced(state, event, row);
    case "property.deleted":
      return applyPropertyDeleted(state, event, row);
    case "property.promoted":
    case "property.suspended":
    case "property.archived":
      return applyPropertyState(state, event, row);
    case "ari.changed":
      return applyAri(state, event, row);
    case "fx.changed":
      state.tenant(row.tenant_id).fx = event.data;
      return;
    case "horizon.advanced":
      return applyHorizon(state, event.data.base_day);
    case "clock.corrected":
      return clockCorrected(state, event, sink);
    case "hold.created":
      return holdCreated(state, event, row);
    case "hold.extended":
      return holdExtended(state, event, row);
    case "hold.released":
      return holdEnded(state, state.holds.get(event.data.hold_id)!, "released", row, sink);
    case "hold.expired":
      return holdEnded(state, state.holds.get(event.data.hold_id)!, "expired", row, sink);
    case "payment.pending":
      return paymentPending(state, event, row, sink);
    case "payment.referenced": {
      const payment = state.payments.get(event.data.payment_id)!;
      payment.provider_ref = event.data.provider_ref;
      payment.updated_at = row.stamp;
      sink?.putPayment(payment);
      return;
    }
    case "payment.captured":
      return paymentCaptured(state, event, row, sink);
    case "payment.failed":
      return paymentFailed(state, event, row, sink);
    case "payment.unknown":
    case "payment.outcome_unknown":
      return paymentUnknown(state, event, row, sink);
    case "booking.confirmed":
      return bookingConfirmed(state, event, row, sink);
    case "booking.cancelled":
    case "booking.checked_in":
    case "booking.no_show":
    case "booking.completed":
      return bookingChanged(state, event, row, sink);
    case "refund.requested":
      return refundRequested(state, event, row, sink);
    case "refund.succeeded":
    case "refund.failed":
      return refundSettled(event, row, sink);
    default:
      // Fails to compile when an event has no case. These change nothing in memory.
      event satisfies NoticeEvent | LossAccepted;
  }
}

function holdCreated(
  state: State,
  event: Extract<Event, { type: "hold.created" }>,
  row: Row,
): void {
  const { quote, hold_id } = event.data;
  const hold: Hold = {
    hold_id,
    tenant_id: row.tenant_id,
    mode: row.mode,
    agent_id: row.actor.id,
    quote,
    state: "held",
    created_at: row.stamp,
    expires_at: PlacedHold.expiresAtMs(event.data),
    extensions: 0,
    ended_at: null,
    payment_id: null,
    booking_id: null,
    rows: [row.row],
  };
  placeUnits(state, hold);
}

function holdExtended(
  state: State,
  { data }: Extract<Event, { type: "hold.extended" }>,
  { row }: Row,
): void {
  const hold = state.holds.get(data.hold_id)!;
  hold.expires_at = Date.parse(data.expires_at);
  hold.extensions = data.extensions;
  hold.rows.push(row);
  state.holds.noteExpiry(hold);
}
