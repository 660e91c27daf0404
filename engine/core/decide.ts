/**
 * decide(command, state) → events and an outcome. Pure: the same command on the same state with
 * the same stamp gives the same decision, on any machine, for ever. Refusals are values; a throw
 * is a bug and is answered `internal_error` by the shell.
 */
import type { Command } from "./commands.ts";
import { beginBooking } from "./decide/booking.ts";
import { cancelBooking, recordRefundResult } from "./decide/cancel.ts";
import type { Context, Decision } from "./decide/context.ts";
import { extendHold, placeHold, releaseHold } from "./decide/hold.ts";
import { recordNotice } from "./decide/notice.ts";
import { recordPaymentReference, recordPaymentResult } from "./decide/payment.ts";
import { createProperty, promoteProperty, setFxRates, updateAri } from "./decide/supply.ts";

/** Decides one command; never changes the state. */
export function decide(command: Command, ctx: Context): Decision {
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
    case "RecordPaymentReference":
      return recordPaymentReference(command, ctx);
    case "RecordPaymentResult":
      return recordPaymentResult(command, ctx);
    case "RecordRefundResult":
      return recordRefundResult(command, ctx);
    case "CreateProperty":
      return createProperty(command, ctx);
    case "PromoteProperty":
      return promoteProperty(command, ctx);
    case "UpdateAri":
      return updateAri(command, ctx);
    case "SetFxRates":
      return setFxRates(command, ctx);
    case "RecordNotice":
      return recordNotice(command, ctx);
  }
}
