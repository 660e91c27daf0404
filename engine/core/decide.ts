/**
 * decide(command, state) → events and an outcome. Pure: the same command, state and stamp give the
 * same decision on any machine. Refusals are values; a throw is a bug, which the shell answers with
 * `internal_error`.
 */

import {
  approveAuthorization,
  grantAuthorization,
  revokeAuthorization,
} from "./authorizations/decide.ts";
import { setAuthorizationPolicy } from "./authorizations/policy.ts";
import { beginBooking } from "./bookings/booking.ts";
import { cancelAtDesk, cancelBooking, cancelByGuest } from "./bookings/cancel.ts";
import { checkInGuest, completeStay, recordNoShow, undoCheckIn } from "./bookings/desk.ts";
import { refundPayment, retryRefund, settleRefundElsewhere } from "./bookings/desk-refunds.ts";
import { eraseGuest } from "./bookings/erase.ts";
import { modifyBooking } from "./bookings/modify.ts";
import { addBookingNote } from "./bookings/notes.ts";
import { recordRefundResult } from "./bookings/refunds.ts";
import { checkRecord } from "./check-record.ts";
import type { Command, RecordNotice } from "./commands.ts";
import { type Context, type Decision, EventList, success } from "./decision.ts";
import { advanceTestClock } from "./due/test-clock.ts";
import type { Declaration } from "./events/declaration.ts";
import { EVENTS, type Event } from "./events/event.ts";
import { extendHold, placeHold, releaseHold } from "./holds/hold.ts";
import { acknowledgeIncident, scanOversell } from "./incidents/desk.ts";
import { resolveIncident } from "./incidents/resolve.ts";
import { withClosings } from "./oversell/closing.ts";
import { recordDispute } from "./payments/dispute.ts";
import { recordPaymentReference, recordPaymentResult } from "./payments/payment.ts";
import { setFxRates, updateAri } from "./properties/ari.ts";
import { archiveProperty, promoteProperty, suspendProperty } from "./properties/property.ts";
import { createProperty, deleteProperty, replaceProperty } from "./properties/tree.ts";
import { recorded } from "./record-damage.ts";
import type { RecordReader } from "./records.ts";

/** The decision of each command. A missing one does not compile. */
const DECISIONS: {
  readonly [T in Command["type"]]: (
    command: Extract<Command, { readonly type: T }>,
    ctx: Context,
  ) => Decision;
} = {
  PlaceHold: placeHold,
  ExtendHold: extendHold,
  ReleaseHold: releaseHold,
  BeginBooking: beginBooking,
  GrantAuthorization: grantAuthorization,
  ApproveAuthorization: approveAuthorization,
  RevokeAuthorization: revokeAuthorization,
  SetAuthorizationPolicy: setAuthorizationPolicy,
  CancelBooking: cancelBooking,
  CancelAtDesk: cancelAtDesk,
  CancelByGuest: cancelByGuest,
  CheckInGuest: checkInGuest,
  UndoCheckIn: undoCheckIn,
  RecordNoShow: recordNoShow,
  CompleteStay: completeStay,
  ModifyBooking: modifyBooking,
  AddBookingNote: addBookingNote,
  EraseGuest: eraseGuest,
  ScanOversell: scanOversell,
  AcknowledgeIncident: acknowledgeIncident,
  ResolveIncident: resolveIncident,
  RefundPayment: refundPayment,
  RetryRefund: retryRefund,
  SettleRefundElsewhere: settleRefundElsewhere,
  RecordPaymentReference: recordPaymentReference,
  RecordPaymentResult: recordPaymentResult,
  RecordRefundResult: recordRefundResult,
  RecordDispute: recordDispute,
  CreateProperty: createProperty,
  ReplaceProperty: replaceProperty,
  DeleteProperty: deleteProperty,
  PromoteProperty: promoteProperty,
  SuspendProperty: suspendProperty,
  ArchiveProperty: archiveProperty,
  UpdateAri: updateAri,
  SetFxRates: setFxRates,
  AdvanceTestClock: advanceTestClock,
  RecordNotice: recordNotice,
  CheckRecord: checkRecord,
};
const DECISION_OF = DECISIONS as Readonly<
  Record<Command["type"], (command: Command, ctx: Context) => Decision>
>;

/**
 * Decides one command; never changes the state.
 *
 * @throws RecordDamaged when a record that the decision or its fold reads is damaged.
 */
export function decide(command: Command, ctx: Context): Decision {
  const decision = DECISION_OF[command.type](command, ctx);
  const events = withClosings(decision.events, command, command, ctx);
  readAhead(events, ctx.records);
  return events === decision.events ? decision : { ...decision, events };
}

/**
 * A notice of the control store. The change has already happened there; the journal gives it the
 * next number among the tenant's events, for webhooks and followers.
 */
function recordNotice(command: RecordNotice, ctx: Context): Decision {
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const seq = events.add(command.notice);
  return { events: events.list, outcome: success(command, "internal", { seq }), phase: "sealed" };
}

/** Event type → the records that its fold changes. */
const READS: Readonly<Record<string, Declaration["reads"]>> = Object.fromEntries(
  Object.entries<Declaration>(EVENTS).map(([type, { reads }]) => [type, reads]),
);

/**
 * Reads in advance the records that folding `events` will read, so that damage fails the decision.
 * A fold must not throw for a record: memory would be ahead of the journal, and every start that
 * meets the same command would fail again.
 */
function readAhead(events: readonly Event[], records: RecordReader): void {
  /** What an earlier event of the row provides: a captured payment, a granted authorization. */
  let provided: string | null = null;
  for (const { type, data } of events) {
    if (type === "payment.captured") provided = data.payment_id;
    if (type === "authorization.requested") provided = data.authorization_id;
    for (const kind of READS[type] ?? []) {
      const id = (data as Readonly<Record<string, unknown>>)[`${kind}_id`] as string | null;
      if (id !== null && id !== provided) recorded(records[kind](id), kind, id);
    }
  }
}
