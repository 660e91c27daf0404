/** Refunds at the desk, as read and as made. */
import { refundableOf } from "../../../engine/core/bookings/refundable.ts";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import type { EncryptedFields } from "../../../engine/core/parties.ts";
import type { Refund } from "../../../engine/core/records.ts";
import type { Call } from "../../http/call.ts";
import type { Rendering } from "../../http/execute.ts";
import { noteIn } from "../bookings/personal-fields.ts";
import { failureOf } from "../bookings/views.ts";
import { bookingOf, paymentOf } from "../visible.ts";
import { refundWait } from "./open-money.ts";
import { refundActions } from "./refund-actions.ts";

/** A refund with what it waits for. */
export function deskRefund(call: Call, refund: Refund) {
  const { refund_id, state, amount, currency, reason, property_id, agent_id } = refund;
  const { payment_id, booking_id, provider_code, retry_of, retried_by, elsewhere } = refund;
  return {
    ...{ refund_id, state, amount, currency, reason, property_id, agent_id },
    ...{ payment_id, booking_id },
    ...(provider_code !== null && { provider_code }),
    ...(retry_of !== undefined && { retry_of }),
    ...(retried_by !== undefined && { retried_by }),
    ...(elsewhere && { method: elsewhere.method }),
    ...(state === "failed" && refund.receipt && { receipt_void: true }),
    ...notesOf(call, refund),
    created_at: instantIso(refund.created_at),
    updated_at: instantIso(refund.updated_at),
    ...refundWait(refund, call.context.engineNow()),
  };
}

/** The operators' notes: of the refund, and of its settlement elsewhere. */
function notesOf(call: Call, { payment_id, encrypted, elsewhere }: Refund) {
  if (!encrypted && !elsewhere?.encrypted) return {};
  const payment = paymentOf(call, payment_id);
  const open = (given: EncryptedFields) => {
    return "code" in payment ? null : noteIn(call.context, payment, given);
  };
  return {
    ...(encrypted && { note: open(encrypted) }),
    ...(elsewhere?.encrypted && { settlement_note: open(elsewhere.encrypted) }),
  };
}

/** What can still be refunded of a refund's booking; 0 without one. */
export function remainingOf(call: Call, { booking_id }: Refund): number {
  const booking = booking_id === null ? null : bookingOf(call, booking_id);
  if (booking === null || "code" in booking) return 0;
  return refundableOf(booking, call.context.replica.records)?.remaining ?? 0;
}

function answerOf({ may }: Call, { data, trace_id, receipt }: SuccessOf<"refund">) {
  const { provider_code: _, ...shown } = data;
  return {
    data: { ...shown, ...(data.state === "failed" && failureOf(data)) },
    actions: refundActions(data, data.remaining, may),
    trace_id,
    ...(receipt && { receipt }),
  };
}

/** The 201 of a refund by the property, and of a repeated one. */
export const REFUNDED: Rendering<"refund"> = {
  kind: "refund",
  answer: (call, outcome) => ({ ...answerOf(call, outcome), status: 201 }),
};

/** The 200 of a refund that was settled elsewhere. */
export const SETTLED: Rendering<"refund"> = { kind: "refund", answer: answerOf };
