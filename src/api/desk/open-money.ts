/**
 * Explains in words what a payment or a refund waits for, for people at a desk who do not know
 * providers, sweeps and sagas.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { OUTCOME_UNKNOWN_AFTER_MS } from "../../../engine/core/payments/payment.ts";
import type { Payment, Refund } from "../../../engine/core/records.ts";
import { STUCK_AFTER_MS } from "../../../jobs/payments/money-watch.ts";
import { failureOf, isPermanent } from "../bookings/views.ts";

export interface Standing {
  readonly age_s: number;
  /** Older than the alarm threshold of the service, or failed. */
  readonly is_stuck: boolean;
  readonly why: string | null;
  readonly next_step: string | null;
}

const SETTLED = { is_stuck: false, why: null, next_step: null } as const;

/** Whether a payment without a verdict is so old that it needs attention. */
export function isStuck({ created_at }: Pick<Payment, "created_at">, nowMs: number): boolean {
  return nowMs - created_at >= STUCK_AFTER_MS;
}

/** State of a payment in words; `isWaiting`: its hold still waits for it. */
export function paymentWait(payment: Payment, isWaiting: boolean, nowMs: number): Standing {
  const { state, created_at, provider_ref } = payment;
  const ageMs = Math.max(0, nowMs - created_at);
  const age_s = Math.floor(ageMs / 1000);
  if (state !== "pending" && state !== "unknown") return { age_s, ...SETTLED };
  const is_stuck = isStuck(payment, nowMs);
  const look =
    provider_ref === null
      ? "The provider has not registered the payment yet, so nothing was captured."
      : `Look the charge up at the provider as ${provider_ref}.`;
  if (!isWaiting) {
    const why =
      "The provider gave no definitive answer within 24 hours. The room is on sale again, and " +
      "the call was answered with `payment_failed`.";
    const next_step = `The provider is still queried, and a capture is refunded at once. ${look}`;
    return { age_s, is_stuck, why, next_step };
  }
  if (!is_stuck && state === "pending") {
    const why = "The payment provider is processing the payment.";
    return { age_s, is_stuck, why, next_step: "Nothing to do: the answer takes seconds." };
  }
  const until = instantIso(created_at + OUTCOME_UNKNOWN_AFTER_MS);
  const why = "The payment provider has not answered definitively. The room stays held.";
  const asked = `The provider is queried at least once a minute, until ${until}`;
  return { age_s, is_stuck, why, next_step: `${asked}; then the room is on sale again. ${look}` };
}

/** State of a refund in words. */
export function refundWait(refund: Refund, nowMs: number): Standing {
  const { state, created_at } = refund;
  const ageMs = Math.max(0, nowMs - created_at);
  const age_s = Math.floor(ageMs / 1000);
  if (state === "succeeded") return { age_s, ...SETTLED };
  if (state === "failed") {
    const why = failureOf(refund).failure_reason;
    if (refund.retried_by) {
      const next_step = `Nothing to do here: it was repeated as ${refund.retried_by}.`;
      return { age_s, is_stuck: false, why, next_step };
    }
    // Agents are sent to the property; this text is for the property.
    const elsewhere = "pay the amount back another way and record it with settle-elsewhere.";
    const next_step = isPermanent(refund.provider_code)
      ? `The card takes no money any more: ${elsewhere}`
      : `Repeat it with retry, or ${elsewhere}`;
    return { age_s, is_stuck: true, why, next_step };
  }
  const is_stuck = ageMs >= STUCK_AFTER_MS;
  const why = is_stuck
    ? "The payment provider has not accepted the refund."
    : "The payment provider is processing the refund.";
  const next_step =
    "The request is repeated at least once a minute under the same key: nothing is refunded " +
    "twice.";
  return { age_s, is_stuck, why, next_step };
}
