/**
 * Folds a correction of the clock. Only a step back needs an undo: time that has passed is handled
 * as always.
 *
 * Maintained invariant: nothing open is from the future. Holds, payments and waits of the time when
 * the clock was ahead keep their remaining time and their age.
 */
import { assert } from "../assert.ts";
import { baseDayAt } from "../calendar.ts";
import type { Context } from "../decision.ts";
import type { Fold } from "../fold.ts";
import { isIntact } from "../record-damage.ts";
import type { RecordSink } from "../records.ts";
import type { Realm } from "../supply.ts";
import { isOfRealm } from "../visibility.ts";

/** Moves the base day and everything open back by as much as the clock was set back. */
export const clockCorrected: Fold<"clock.corrected"> = (state, event, _row, sink) => {
  const toMs = Date.parse(event.data.to);
  const byMs = toMs - Date.parse(event.data.from);
  if (byMs >= 0) return;
  state.forgetIndexes();
  state.baseDay = Math.min(state.baseDay, baseDayAt(toMs));
  state.keptDay = Math.min(state.keptDay, state.baseDay);
  for (const hold of state.holds.values()) {
    hold.expires_at += byMs;
    state.holds.noteExpiry(hold);
  }
  for (const payment of state.payments.values()) {
    payment.created_at += byMs;
    payment.updated_at += byMs;
    sink?.putPayment(payment);
  }
  for (const [id, awaited] of state.awaitingRefund) {
    state.awaitingRefund.set(id, { ...awaited, since: awaited.since + byMs });
  }
  moveAuthorizations(event.secret.authorization_ids ?? [], byMs, sink);
  if (!sink) return;
  for (const id of event.secret.refund_ids) {
    const refund = sink.refund(id);
    assert(refund !== null, "a refund that waits is recorded");
    refund.created_at += byMs;
    refund.updated_at += byMs;
    sink.putRefund(refund);
  }
};

/**
 * Ids of the authorizations that a clock moves with it, of one realm or of all: those that would be
 * live after the move, and those that an open payment may give back.
 */
export function openAuthorizations(
  { state, records, stamp }: Pick<Context, "state" | "records" | "stamp">,
  realm?: Realm,
): readonly string[] {
  const ids = new Set(records.liveAuthorizationIds(stamp, realm));
  for (const payment of state.payments.values()) {
    if (!payment.authorization || (realm && !isOfRealm(payment, realm))) continue;
    ids.add(payment.authorization.authorization_id);
  }
  // A damaged record keeps its instants and must not fail the start.
  return [...ids].filter((id) => isIntact("authorization", id, records));
}

/** Moves open authorizations with their clock, so that each keeps the time it has left. */
export function moveAuthorizations(
  ids: readonly string[],
  byMs: number,
  sink: RecordSink | null,
): void {
  if (!sink) return;
  for (const id of ids) {
    const authorization = sink.authorization(id);
    assert(authorization !== null, "an authorization that is open is recorded");
    authorization.created_at += byMs;
    authorization.updated_at += byMs;
    authorization.expires_at += byMs;
    sink.putAuthorization(authorization);
  }
}
