/**
 * evolve(state, row): folds one journal row into the state. The engine folds what it decides;
 * replicas and recovery fold what they read; all states end equal, bit for bit.
 *
 * `sink` receives aggregates that leave memory or never enter it (finished holds, bookings, settled
 * payments, refunds). Only the engine and a rebuild pass one; replicas read the projections
 * instead.
 */

import { AUTHORIZATION_FOLDS } from "./authorizations/folds.ts";
import { CANCELLATION_FOLDS } from "./bookings/cancel.ts";
import { CONFIRMATION_FOLDS } from "./bookings/confirm.ts";
import { DESK_FOLDS } from "./bookings/desk.ts";
import { ERASURE_FOLDS } from "./bookings/erase.ts";
import { MODIFICATION_FOLDS } from "./bookings/modify-fold.ts";
import { NOTE_FOLDS } from "./bookings/notes.ts";
import { REFUND_FOLDS } from "./bookings/refund-fold.ts";
import { clockCorrected } from "./due/clock-fold.ts";
import { testClockSet } from "./due/test-clock.ts";
import type { EventType, Row } from "./events/event.ts";
import type { NOTICES } from "./events/notices.ts";
import type { Fold, Folds } from "./fold.ts";
import { HOLD_FOLDS } from "./holds/hold.ts";
import { INCIDENT_FOLDS } from "./oversell/folds.ts";
import { DISPUTE_FOLDS } from "./payments/dispute.ts";
import { PAYMENT_FOLDS } from "./payments/payment.ts";
import { ARI_FOLDS } from "./properties/ari-fold.ts";
import { PROPERTY_FOLDS } from "./properties/property.ts";
import { TREE_FOLDS } from "./properties/tree-fold.ts";
import type { RecordSink } from "./records.ts";
import { noteEventRow } from "./state/event-rows.ts";
import type { State } from "./state/state.ts";

/** Notices and an accepted loss change nothing in memory. A missing fold does not compile. */
const FOLDS: Omit<Folds, keyof typeof NOTICES | "loss.accepted"> = {
  ...TREE_FOLDS,
  ...PROPERTY_FOLDS,
  ...ARI_FOLDS,
  "clock.corrected": clockCorrected,
  "test_clock.set": testClockSet,
  ...HOLD_FOLDS,
  ...AUTHORIZATION_FOLDS,
  ...INCIDENT_FOLDS,
  ...PAYMENT_FOLDS,
  ...DISPUTE_FOLDS,
  ...CONFIRMATION_FOLDS,
  ...CANCELLATION_FOLDS,
  ...DESK_FOLDS,
  ...MODIFICATION_FOLDS,
  ...NOTE_FOLDS,
  ...ERASURE_FOLDS,
  ...REFUND_FOLDS,
};
const FOLD_OF = FOLDS as Readonly<Record<EventType, Fold<EventType> | undefined>>;

/** Applies every event of the row; sets `state.row`. */
export function evolve(state: State, row: Row, sink: RecordSink | null): void {
  for (const event of row.events) {
    if (row.tenant_id !== "") noteEvent(state, event.seq, row);
    FOLD_OF[event.type]?.(state, event, row, sink);
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
