/** What of a booking's payment is refunded, waits to be, and can still be. */
import { assert } from "../assert.ts";
import { recorded } from "../record-damage.ts";
import type { Booking, RecordReader } from "../records.ts";

/** Minor units of the payment's currency; `captured` is the sum of the others. */
export interface Refundable {
  readonly captured: number;
  readonly refunded: number;
  /** Requested, without a verdict. Counts as spent, so that refunds never exceed `captured`. */
  readonly pending: number;
  readonly remaining: number;
  /** Withheld by a dispute that is open or lost; absent for nothing. */
  readonly disputed?: number;
}

/**
 * The figures of a booking; null when nothing was due and so nothing was paid. Pending refunds are
 * added up from their records: a sum of its own could differ from them.
 *
 * @throws RecordDamaged when the payment or a refund is missing or damaged.
 */
export function refundableOf(
  { payment_id, refund_ids }: Pick<Booking, "payment_id" | "refund_ids">,
  records: Pick<RecordReader, "payment" | "refund">,
): Refundable | null {
  if (payment_id === null) return null;
  const payment = recorded(records.payment(payment_id), "payment", payment_id);
  const { amount, refunded, dispute } = payment;
  const pending = refund_ids.reduce((sum, id) => {
    const refund = recorded(records.refund(id), "refund", id);
    return refund.state === "pending" ? sum + refund.amount : sum;
  }, 0);
  const rest = amount - refunded - pending;
  assert(rest >= 0, "refunds never exceed what was captured");
  const figures = { captured: amount, refunded, pending };
  const isDisputed = dispute !== undefined && dispute.state !== "won" && rest > 0;
  return isDisputed
    ? { ...figures, remaining: 0, disputed: rest }
    : { ...figures, remaining: rest };
}
