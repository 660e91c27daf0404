/**
 * Folds a correction of the clock. Only a step back needs an undo: time that has passed is handled
 * as always.
 *
 * Maintained invariant: nothing open is from the future. Holds, payments and waits of the time when
 * the clock was ahead keep their remaining time and their age.
 */
import { assert } from "../assert.ts";
import { baseDayAt } from "../calendar.ts";
import type { OpenRecords } from "../events/event.ts";
import type { Fold } from "../fold.ts";
import type { RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";
import type { Realm } from "../supply.ts";

/** Moves the base day and everything open back by as much as the clock was set back. */
export const clockCorrected: Fold<"clock.corrected"> = (state, { data, secret }, _row, sink) => {
  const toMs = Date.parse(data.to);
  const byMs = toMs - Date.parse(data.from);
  if (byMs >= 0) return;
  state.forgetIndexes();
  state.baseDay = Math.min(state.baseDay, baseDayAt(toMs));
  state.keptDay = Math.min(state.keptDay, state.baseDay);
  for (const [id, awaited] of state.awaitingRefund) {
    state.awaitingRefund.set(id, { ...awaited, since: awaited.since + byMs });
  }
  const { refund_ids, authorization_ids = [] } = secret;
  moveBack(state, byMs, () => true, { refund_ids, authorization_ids }, sink);
};

/**
 * Moves what is open back with its clock: in memory what is `of` the clock, and these records.
 * `byMs` is negative.
 */
export function moveBack(
  state: State,
  byMs: number,
  of: (each: Realm) => boolean,
  { refund_ids, authorization_ids }: OpenRecords,
  sink: RecordSink | null,
): void {
  for (const hold of state.holds.values()) {
    if (!of(hold)) continue;
    hold.expires_at += byMs;
    state.holds.noteExpiry(hold);
  }
  for (const payment of state.payments.values()) {
    if (!of(payment)) continue;
    payment.created_at += byMs;
    payment.updated_at += byMs;
    sink?.putPayment(payment);
  }
  if (!sink) return;
  for (const id of refund_ids) {
    const refund = sink.refund(id);
    assert(refund !== null, "a refund that waits is recorded");
    refund.created_at += byMs;
    refund.updated_at += byMs;
    sink.putRefund(refund);
  }
  for (const id of authorization_ids) {
    const authorization = sink.authorization(id);
    assert(authorization !== null, "an authorization that is open is recorded");
    authorization.created_at += byMs;
    authorization.updated_at += byMs;
    authorization.expires_at += byMs;
    sink.putAuthorization(authorization);
  }
}
