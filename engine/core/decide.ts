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
import { cancelAtDesk, cancelBooking } from "./bookings/cancel.ts";
import { checkInGuest, completeStay, recordNoShow } from "./bookings/desk.ts";
import { refundPayment, retryRefund, settleRefundElsewhere } from "./bookings/desk-refunds.ts";
import { modifyBooking } from "./bookings/modify.ts";
import { recordRefundResult } from "./bookings/refunds.ts";
import { checkRecord } from "./check-record.ts";
import type { Command, RecordNotice } from "./commands.ts";
import { type Context, type Decision, EventList, success } from "./decision.ts";
import type { Declaration } from "./events/declaration.ts";
import { EVENTS, type Event } from "./events/event.ts";
import { extendHold, placeHold, releaseHold } from "./holds/hold.ts";
import { recordDispute } from "./payments/dispute.ts";
import { recordPaymentReference, recordPaymentResult } from "./payments/payment.ts";
import { setFxRates, updateAri } from "./properties/ari.ts";
import { archiveProperty, promoteProperty, suspendProperty } from "./properties/property.ts";
import { createProperty, deleteProperty, replaceProperty } from "./properties/tree.ts";
import { recorded } from "./record-damage.ts";
import type { RecordReader } from "./records.ts";

/**
 * Decides one command; never changes the state.
 *
 * @throws RecordDamaged when a record that the decision or its fold reads is damaged.
 */
export function decide(command: Command, ctx: Context): Decision {
  const decision = decided(command, ctx);
  readAhead(decision.events, ctx.records);
  return decision;
}

function decided(command: Command, ctx: Context): Decision {
  switch (command.type) {
    case "PlaceHold":
      return placeHold(command, ctx);
    case "ExtendHold":
      return extendHold(command, ctx);
    case "ReleaseHold":
      return releaseHold(command, ctx);
    case "BeginBooking":
      return beginBooking(command, ctx);
    case "GrantAuthorization":
      return grantAuthorization(command, ctx);
    case "ApproveAuthorization":
      return approveAuthorization(command, ctx);
    case "RevokeAuthorization":
      return revokeAuthorization(command, ctx);
    case "SetAuthorizationPolicy":
      return setAuthorizationPolicy(command, ctx);
    case "CancelBooking":
      return cancelBooking(command, ctx);
    case "CancelAtDesk":
      return cancelAtDesk(command, ctx);
    case "CheckInGuest":
      return checkInGuest(command, ctx);
    case "RecordNoShow":
      return recordNoShow(command, ctx);
    case "CompleteStay":
      return completeStay(command, ctx);
    case "ModifyBooking":
      return modifyBooking(command, ctx);
    case "RefundPayment":
      return refundPayment(command, ctx);
    case "RetryRefund":
      return retryRefund(command, ctx);
    case "SettleRefundElsewhere":
      return settleRefundElsewhere(command, ctx);
    case "RecordPaymentReference":
      return recordPaymentReference(command, ctx);
    case "RecordPaymentResult":
      return recordPaymentResult(command, ctx);
    case "RecordRefundResult":
      return recordRefundResult(command, ctx);
    case "RecordDispute":
      return recordDispute(command, ctx);
    case "CreateProperty":
      return createProperty(command, ctx);
    case "ReplaceProperty":
      return replaceProperty(command, ctx);
    case "DeleteProperty":
      return deleteProperty(command, ctx);
    case "PromoteProperty":
      return promoteProperty(command, ctx);
    case "SuspendProperty":
      return suspendProperty(command, ctx);
    case "ArchiveProperty":
      return archiveProperty(command, ctx);
    case "UpdateAri":
      return updateAri(command, ctx);
    case "SetFxRates":
      return setFxRates(command, ctx);
    case "RecordNotice":
      return recordNotice(command, ctx);
    case "CheckRecord":
      return checkRecord(command, ctx);
  }
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
