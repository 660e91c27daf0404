/**
 * Payments without a verdict and keys that wait for a refund. Both are also in the projections,
 * where the worker finds due work by state.
 */
import type { Payment } from "../records.ts";
import type { AwaitedRefund, State } from "./state.ts";

/** Confirmation codes are unique per tenant. */
export function codeOf(of: Pick<Payment, "tenant_id" | "confirmation_code">): string {
  return `${of.tenant_id}:${of.confirmation_code}`;
}

/** Adds a payment without a verdict to memory; also used when a snapshot is loaded. */
export function indexPayment(state: State, payment: Payment): void {
  state.payments.set(payment.payment_id, payment);
  state.openCodes.add(codeOf(payment));
}

/** Makes a key wait for a refund; also used when a snapshot is loaded. */
export function indexAwaited(state: State, awaited: AwaitedRefund): void {
  state.awaitingRefund.set(awaited.refund_id, awaited);
  state.refundsByKey.set(awaited.key.key, awaited.refund_id);
}

/** Removes a payment that has its verdict. */
export function removePayment(state: State, payment: Payment): void {
  state.payments.delete(payment.payment_id);
  state.openCodes.delete(codeOf(payment));
  if (state.runningKeys.get(payment.key) === payment.payment_id) {
    state.runningKeys.delete(payment.key);
  }
}
