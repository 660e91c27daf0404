/**
 * Objects of Stripe's API, whole: the types of the library, which Stripe generates from its own
 * OpenAPI, check that no member is missing or of another type.
 */
import type Stripe from "stripe";

/** A PaymentIntent for a card, captured by hand, before its confirmation. */
export function paymentIntent(
  over: Pick<
    Stripe.PaymentIntent,
    "id" | "amount" | "currency" | "created" | "payment_method" | "metadata"
  >,
): Stripe.PaymentIntent {
  return {
    ...{ object: "payment_intent", amount_capturable: 0, amount_received: 0 },
    ...{ allowed_payment_method_types: null, application: null, application_fee_amount: null },
    ...{ automatic_payment_methods: null, canceled_at: null, cancellation_reason: null },
    ...{ capture_method: "manual", client_secret: `${over.id}_secret`, customer: null },
    ...{ confirmation_method: "automatic", customer_account: null, description: null },
    ...{ excluded_payment_method_types: null, last_payment_error: null, latest_charge: null },
    ...{ livemode: false, managed_payments: null, next_action: null, on_behalf_of: null },
    ...{ payment_method_configuration_details: null, payment_method_options: {} },
    ...{ payment_method_types: ["card"], payment_record: null, processing: null },
    ...{ receipt_email: null, review: null, setup_future_usage: null, shipping: null },
    ...{ source: null, statement_descriptor: null, statement_descriptor_suffix: null },
    ...{ status: "requires_confirmation", transfer_data: null, transfer_group: null },
    ...over,
  };
}

/** The authorized charge of an intent. */
export function chargeOf(intent: Stripe.PaymentIntent, id: string, created: number): Stripe.Charge {
  const { amount, currency, metadata } = intent;
  const nobody = { address: null, email: null, name: null, phone: null, tax_id: null };
  return {
    ...{ id, object: "charge", amount, currency, metadata, created, payment_intent: intent.id },
    ...{ amount_captured: 0, amount_refunded: 0, application: null, application_fee: null },
    ...{ application_fee_amount: null, balance_transaction: null, billing_details: nobody },
    ...{ calculated_statement_descriptor: null, captured: false, customer: null },
    ...{ description: null, disputed: false, failure_balance_transaction: null },
    ...{ failure_code: null, failure_message: null, fraud_details: null, livemode: false },
    ...{ on_behalf_of: null, outcome: null, paid: true, payment_method: "pm_1" },
    ...{ payment_method_details: null, receipt_email: null, receipt_number: null },
    ...{ receipt_url: null, refunded: false, review: null, shipping: null, source: null },
    ...{ source_transfer: null, statement_descriptor: null, statement_descriptor_suffix: null },
    ...{ status: "succeeded", transfer_data: null, transfer_group: null },
  } as const satisfies Stripe.Charge;
}

/** A refund of a charge. */
export function refundOf(
  charge: Stripe.Charge,
  over: Pick<Stripe.Refund, "id" | "amount" | "created" | "status" | "metadata">,
): Stripe.Refund {
  return {
    ...{ object: "refund", balance_transaction: null, charge: charge.id },
    ...{ currency: charge.currency, customer: null, customer_account: null },
    ...{ payment_intent: charge.payment_intent, payment_method: null, reason: null },
    ...{ receipt_number: null, source_transfer_reversal: null, transfer_reversal: null },
    ...over,
  };
}

/** A movement of the account's balance. */
export function balanceTransaction(
  over: Pick<
    Stripe.BalanceTransaction,
    "id" | "amount" | "created" | "currency" | "source" | "type"
  >,
): Stripe.BalanceTransaction {
  return {
    ...{ object: "balance_transaction", available_on: over.created, balance_type: "payments" },
    ...{ description: null, exchange_rate: null, fee: 0, fee_details: [], net: over.amount },
    ...{ reporting_category: over.type, status: "available" },
    ...over,
  };
}

/** A dispute of a whole charge by its cardholder. */
export function disputeOf(
  charge: Stripe.Charge,
  over: Pick<Stripe.Dispute, "id" | "created" | "status">,
): Stripe.Dispute {
  const evidence_details: Stripe.Dispute.EvidenceDetails = {
    ...{ due_by: over.created + 7 * 86_400, enhanced_eligibility: {}, has_evidence: false },
    ...{ past_due: false, submission_count: 0, submission_method: "not_submitted" },
  };
  return {
    ...{ object: "dispute", amount: charge.amount, balance_transactions: [], charge: charge.id },
    ...{ currency: charge.currency, enhanced_eligibility_types: [], evidence: NO_EVIDENCE },
    ...{ evidence_details, is_charge_refundable: false, livemode: false, metadata: {} },
    ...{ intended_submission_method: null },
    ...{ payment_intent: charge.payment_intent, reason: "fraudulent" },
    ...over,
  };
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  ...{ access_activity_log: null, billing_address: null, cancellation_policy: null },
  ...{ cancellation_policy_disclosure: null, cancellation_rebuttal: null },
  ...{ customer_communication: null, customer_email_address: null, customer_name: null },
  ...{ customer_purchase_ip: null, customer_signature: null, duplicate_charge_documentation: null },
  ...{ duplicate_charge_explanation: null, duplicate_charge_id: null, enhanced_evidence: {} },
  ...{ product_description: null, receipt: null, refund_policy: null },
  ...{ refund_policy_disclosure: null, refund_refusal_explanation: null, service_date: null },
  ...{ service_documentation: null, shipping_address: null, shipping_carrier: null },
  ...{ shipping_date: null, shipping_documentation: null, shipping_tracking_number: null },
  ...{ uncategorized_file: null, uncategorized_text: null },
};

/** The body of an error. */
export interface ErrorBody {
  readonly error: {
    readonly type:
      | ("api_error" | "card_error" | "idempotency_error" | "invalid_request_error")
      | "rate_limit_error";
    readonly message: string;
    readonly code?: string;
    readonly decline_code?: string;
    readonly param?: string;
    readonly payment_intent?: Stripe.PaymentIntent;
  };
}
