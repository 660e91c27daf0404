/**
 * What a payment or a refund waits for, in words: what a person at a desk would otherwise have to
 * know of providers, sweeps and sagas.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { OUTCOME_UNKNOWN_AFTER_MS } from "../../../engine/core/decide/payment.ts";
import type { Payment, Refund } from "../../../engine/core/records.ts";
import { STUCK_AFTER_MS } from "../../../jobs/payments/money-watch.ts";
import { failureOf } from "../bookings/failed-refund.ts";

export interface Standing {
  readonly age_s: number;
  /** As old as what the service alarms about, or failed. */
  readonly is_stuck: boolean;
  readonly why: string | null;
  readonly next_step: string | null;
}

const SETTLED = { is_stuck: false, why: null, next_step: null } as const;

/** How a payment stands; `isWaiting`: its hold still waits for it. */
export function paymentStanding(payment: Payment, isWaiting: boolean, nowMs: number): Standing {
  const { state, created_at, provider_ref } = payment;
  const ageMs = Math.max(0, nowMs - created_at);
  const age_s = Math.floor(ageMs / 1000);
  if (state !== "pending" && state !== "unknown") return { age_s, ...SETTLED };
  const is_stuck = ageMs >= STUCK_AFTER_MS;
  const look =
    provider_ref === null
      ? "The provider has not named the payment yet, so no money can have moved."
      : `Look the charge up at the provider as ${provider_ref}.`;
  if (!isWaiting) {
    const why =
      "The provider gave no verdict within 24 hours. The room went back on sale, and the call " +
      "was answered that the payment failed.";
    const next_step = `The provider is still asked, and a capture is paid back at once. ${look}`;
    return { age_s, is_stuck, why, next_step };
  }
  if (!is_stuck && state === "pending") {
    const why = "The payment provider is being asked.";
    return { age_s, is_stuck, why, next_step: "Nothing to do: a verdict takes seconds." };
  }
  const until = instantIso(created_at + OUTCOME_UNKNOWN_AFTER_MS);
  const why = "The payment provider has given no verdict. The room stays held meanwhile.";
  const asked = `The provider is asked again at least once a minute, until ${until}`;
  return { age_s, is_stuck, why, next_step: `${asked}; then the room goes back on sale. ${look}` };
}

/** How a refund stands. */
export function refundStanding(refund: Refund, nowMs: number): Standing {
  const { state, created_at } = refund;
  const ageMs = Math.max(0, nowMs - created_at);
  const age_s = Math.floor(ageMs / 1000);
  if (state === "succeeded") return { age_s, ...SETTLED };
  if (state === "failed") {
    // An agent is told to turn to the property; who reads this is the property.
    const next_step =
      "The refusal is final and nothing is tried again: pay the amount back another way, and tell " +
      "the guest.";
    return { age_s, is_stuck: true, why: failureOf(refund).failure_reason, next_step };
  }
  const is_stuck = ageMs >= STUCK_AFTER_MS;
  const why = is_stuck
    ? "The payment provider has not taken the refund."
    : "The payment provider is being asked to pay back.";
  const next_step =
    "The provider is asked again at least once a minute, under the same key: nothing is paid " +
    "back twice.";
  return { age_s, is_stuck, why, next_step };
}
