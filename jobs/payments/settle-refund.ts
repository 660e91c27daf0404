/**
 * Refunds: one idempotent call with the refund's id as key. The engine reserved the amount when the
 * refund was requested, so repeating the call never refunds more. A refund that has succeeded may
 * still fail: when the provider hints at it, its state is read.
 */
import { recorded } from "../../engine/core/record-damage.ts";
import type { Refund } from "../../engine/core/records.ts";
import { PAYMENT_BUDGET_MS, resultMeta, type Settling, submitResult } from "./settling.ts";
import { TimeLimit } from "./time-limit.ts";

/**
 * Requests the refund from the provider, or reads one that has succeeded. Without a verdict the
 * next sweep repeats it.
 */
export async function settleRefund(refund: Refund, settling: Settling): Promise<void> {
  if (refund.state === "failed") return;
  const { refund_id: refundId, payment_id, booking_id } = refund;
  const payment = recorded(settling.records.payment(payment_id), "payment", payment_id);
  // The engine needs the booking to record the result, so a damaged one stops the refund.
  if (booking_id) recorded(settling.records.booking(booking_id), "booking", booking_id);
  const ref = payment.provider_ref;
  if (ref === null) throw new Error(`refund ${refundId}: its payment has no provider reference`);
  const { provider, stopping, log } = settling;
  const limit = new TimeLimit(PAYMENT_BUDGET_MS, stopping);
  const { amount, currency } = refund;
  const request = { ref, key: refundId, amount, currency };
  const reply = await limit.ask(() =>
    refund.state === "pending" ? provider.refund(request) : provider.readRefund(request),
  );
  limit.end();
  if (!reply.ok) {
    const { error, code } = reply;
    return log("warn", "a refund has no verdict yet", { refund_id: refundId, error, code });
  }
  if (reply.state === "pending" || reply.state === refund.state) return;
  await submitResult(settling, {
    ...resultMeta(refund, payment),
    type: "RecordRefundResult",
    refund_id: refundId,
    result: reply.state,
    ...(reply.code !== undefined && { provider_code: reply.code }),
  });
}
