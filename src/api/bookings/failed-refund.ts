/** Why a refund failed and what is next, in words; the provider's own code is for logs. */

/** Texts of provider codes; unknown codes are shown unchanged. */
const REASONS: Readonly<Record<string, string>> = {
  refund_declined: "The payment provider declined the refund.",
  amount_exceeds_remaining: "The refund exceeds the refundable amount of the payment.",
  charge_disputed: "The payment is disputed at the bank, which decides about the money.",
  expired_or_canceled_card: "The card that was charged has expired or was cancelled.",
  lost_or_stolen_card: "The card that was charged was reported lost or stolen.",
};

/** No retry: the refusal is final, and a call with the same key repeats it. */
const NEXT_STEP =
  "The refusal is final and not retried. The property pays the amount back another way; contact " +
  "it with refund_id and confirmation_code.";

/** `failure_reason` and `next_step` of a refund's answers; both null unless it has failed. */
export function failureOf(refund: {
  readonly state: string;
  readonly provider_code?: string | null;
}) {
  if (refund.state !== "failed") return { failure_reason: null, next_step: null };
  const { provider_code: code } = refund;
  const unknown = code
    ? `The payment provider declined the refund (${code}).`
    : "The payment provider declined the refund without a reason.";
  const known = code && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return { failure_reason: known ?? unknown, next_step: NEXT_STEP };
}
