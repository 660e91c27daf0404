/** Stripe's objects and errors as the replies of the port. */
import Stripe from "stripe";
import type { ChargeReport, DisputeReport, ProviderFailure, RefundReport } from "../provider.ts";
import { fromStripeAmount } from "./amounts.ts";

/**
 * Why an intent was cancelled: its card asks for 3-D Secure, which a caller of the API cannot
 * answer. It is read back from the cancelled intent, so that the verdict survives a crash.
 */
export const ABANDONED = "abandoned";

const AUTHENTICATION_REQUIRED = {
  state: "declined",
  code: "authentication_required",
  message: "The card requires authentication by its holder.",
} as const;

/** Errors by which a refund has failed for good; others leave it open. */
const REFUND_FAILURES = new Set([
  ...["charge_already_refunded", "charge_disputed", "refund_disputed_payment"],
  ...["amount_too_large", "amount_too_small"],
]);

/** Parameters of an intent that the client of a booking chooses, or that follow from its choice. */
const CHOSEN = /^(?:amount|currency|payment_method(?:\b|_data))/;

/** State of an intent. One that waits for its capture has not moved money: `created`. */
export function reportOf(intent: Stripe.PaymentIntent): ChargeReport {
  const { status, last_payment_error: error, cancellation_reason } = intent;
  switch (status) {
    case "succeeded":
      return { state: "captured" };
    case "canceled":
      return cancellation_reason === ABANDONED ? AUTHENTICATION_REQUIRED : { state: "cancelled" };
    case "requires_payment_method":
      return error ? declineOf(error) : { state: "created" };
    case "requires_capture":
    case "requires_confirmation":
      return { state: "created" };
    default:
      return { state: "processing" };
  }
}

/** The charge of an intent, if it has one and it was expanded. */
function chargeOf({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof latest_charge === "string" ? null : latest_charge;
}

/** The sum of an intent's refunds, pending ones included; its charge must be expanded. */
export function refundedOf(intent: Stripe.PaymentIntent): number {
  return chargeOf(intent)?.amount_refunded ?? 0;
}

/** Whether a bank has ever disputed an intent; its charge must be expanded. */
export function isDisputed(intent: Stripe.PaymentIntent): boolean {
  return chargeOf(intent)?.disputed ?? false;
}

/** Whether an intent has or may have taken money that is not wholly refunded. */
export function holdsMoney(intent: Stripe.PaymentIntent): boolean {
  const isTaking = intent.status === "processing" || intent.status === "requires_capture";
  return isTaking || (intent.status === "succeeded" && refundedOf(intent) < intent.amount);
}

/** A decline with the bank's code, or else Stripe's. */
function declineOf(
  error: Pick<Stripe.PaymentIntent.LastPaymentError, "code" | "decline_code" | "message">,
): ChargeReport<"declined"> {
  const code = error.decline_code ?? error.code;
  const { message } = error;
  return {
    state: "declined",
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  };
}

/** State of a refund; a cancelled one has failed. */
export function refundReportOf({ status, failure_reason }: Stripe.Refund): RefundReport {
  if (status === "succeeded") return { state: "succeeded" };
  if (status !== "failed" && status !== "canceled") return { state: "pending" };
  return { state: "failed", code: failure_reason ?? status };
}

/**
 * Inquiries (`warning_…`) are not among them: no money was taken back. An appeal is one against a
 * lost dispute.
 */
const DISPUTE_STATES: Readonly<Record<string, DisputeReport["state"]>> = {
  needs_response: "open",
  under_review: "open",
  won: "won",
  lost: "lost",
  appeal_needs_response: "lost",
  appeal_under_review: "lost",
};

/** State of a dispute; null for an inquiry, or of another system. Its intent must be expanded. */
export function disputeReportOf(dispute: Stripe.Dispute): DisputeReport | null {
  const { amount, reason, payment_intent, evidence_details } = dispute;
  const isWhole = payment_intent !== null && typeof payment_intent !== "string";
  const key = isWhole ? payment_intent.metadata.payment_id : undefined;
  const state = DISPUTE_STATES[dispute.status];
  if (state === undefined || key === undefined) return null;
  const { due_by } = evidence_details;
  const currency = dispute.currency.toUpperCase();
  return {
    ...{ key, state, reason, amount: fromStripeAmount(amount, currency) },
    due_by: due_by === null ? null : new Date(due_by * 1_000).toISOString(),
  };
}

/** A decline of the card; null for other errors. */
export function cardDeclineOf(error: unknown): ChargeReport<"declined"> | null {
  return error instanceof Stripe.errors.StripeCardError ? declineOf(codesOf(error)) : null;
}

/**
 * The refusal to register a payment for what its client has chosen; null for other errors. Without
 * Stripe's message, which repeats the token.
 */
export function refusalOf(error: unknown): ChargeReport<"declined"> | null {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return cardDeclineOf(error);
  const { code, param } = error;
  if (!CHOSEN.test(param ?? "")) return null;
  return { state: "declined", code: code ?? `invalid_${param}` };
}

/** The end of a refund by an error; null when it stays open. */
export function refundFailureOf(error: unknown): RefundReport | null {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return null;
  const { code, param } = error;
  if (param === "amount") return { state: "failed", code: code ?? "amount_exceeds_remaining" };
  return code !== undefined && REFUND_FAILURES.has(code) ? { state: "failed", code } : null;
}

/** True when Stripe answered 5xx. It stores this answer under the key of the call. */
export function isServerFault(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}

/** True when the answer is the stored one of an earlier call, which has ended. */
export function isReplayed({ headers }: Stripe.errors.StripeError): boolean {
  return headers?.["idempotent-replayed"] === "true";
}

/**
 * The failure that an error of a call is: never an outcome.
 *
 * @throws the error itself when it is not Stripe's.
 */
export function failureOf(error: unknown): ProviderFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  if (error instanceof Stripe.errors.StripeConnectionError) return failure("connection_error");
  if (error instanceof Stripe.errors.StripeIdempotencyError) return failure("key_reused");
  if (error.statusCode === 404) return { ok: false, error: "not_found" };
  return failure(error.code ?? error.rawType ?? "api_error");
}

/** A failure with a code. */
export function failure(code: string): ProviderFailure {
  return { ok: false, error: "provider_error", code };
}

function codesOf({ code, decline_code, message }: Stripe.errors.StripeError) {
  return {
    message,
    ...(code !== undefined && { code }),
    ...(decline_code !== undefined && { decline_code }),
  };
}
