/**
 * decide(command, state) → events and an outcome. Pure: the same command, state and stamp give the
 * same decision on any machine. Refusals are values; a throw is a bug, which the shell answers with
 * `internal_error`.
 */
import type { Command } from "./commands.ts";
import { beginBooking } from "./decide/booking.ts";
import { cancelAtDesk, cancelBooking, recordRefundResult } from "./decide/cancel.ts";
import type { Context, Decision } from "./decide/context.ts";
import { checkRecord } from "./decide/damaged.ts";
import { checkInGuest, completeStay, recordNoShow } from "./decide/desk.ts";
import { extendHold, placeHold, releaseHold } from "./decide/hold.ts";
import { recordNotice } from "./decide/notice.ts";
import { recordPaymentReference, recordPaymentResult } from "./decide/payment.ts";
import { archiveProperty, promoteProperty, suspendProperty } from "./decide/property.ts";
import { setFxRates, updateAri } from "./decide/supply.ts";
import { createProperty, deleteProperty, replaceProperty } from "./decide/tree.ts";
import { readAhead } from "./evolve/reads.ts";

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
    case "RecordPaymentReference":
      return recordPaymentReference(command, ctx);
    case "RecordPaymentResult":
      return recordPaymentResult(command, ctx);
    case "RecordRefundResult":
      return recordRefundResult(command, ctx);
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
