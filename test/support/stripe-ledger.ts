/**
 * What Stripe knows of an account: intents, charges, refunds, disputes and the movements of its
 * balance, and what each call does to them. An intent's payment method says how its card behaves.
 */
import type Stripe from "stripe";
import {
  balanceTransaction,
  chargeOf,
  disputeOf,
  type ErrorBody,
  paymentIntent,
  refundOf,
} from "./stripe-objects.ts";

/** An error as Stripe answers it. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, error: Partial<ErrorBody["error"]>) {
    super(error.code ?? error.message);
    const type = "invalid_request_error";
    this.status = status;
    this.body = { error: { type, message: error.code ?? "refused", ...error } };
  }
}

/** Payment method → the bank's code for its decline. */
const DECLINES: Readonly<Record<string, string>> = {
  pm_card_chargeDeclined: "generic_decline",
  pm_card_chargeDeclinedInsufficientFunds: "insufficient_funds",
};
const AUTHENTICATED = "pm_card_authenticationRequired";
const AMOUNT_LEAST = 50;

export class StripeLedger {
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  /** Oldest first. */
  readonly movements = new Map<string, Stripe.BalanceTransaction>();
  readonly #now: () => number;
  #lastId = 0;

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  create(
    terms: Pick<Stripe.PaymentIntent, "amount" | "currency" | "metadata">,
    method: string,
  ): Stripe.PaymentIntent {
    if (!/^(?:pm_card|pm_double|tok)_/.test(method)) {
      const message = `No such PaymentMethod: '${method}'`;
      throw new Refused(400, { code: "resource_missing", param: "payment_method", message });
    }
    if (!Number.isSafeInteger(terms.amount)) throw new Refused(400, { param: "amount" });
    if (terms.amount < AMOUNT_LEAST) {
      throw new Refused(400, { code: "amount_too_small", param: "amount" });
    }
    const id = this.#newId("pi");
    const created = this.#nowS();
    const intent = paymentIntent({ ...terms, id, created, payment_method: method });
    this.intents.set(id, intent);
    return intent;
  }

  intent(id: string): Stripe.PaymentIntent {
    const intent = this.intents.get(id);
    if (!intent) throw new Refused(404, { code: "resource_missing", param: "intent" });
    return intent;
  }

  confirm(intent: Stripe.PaymentIntent): void {
    this.#mustBe(intent, "requires_confirmation");
    const method = String(intent.payment_method);
    if (method === AUTHENTICATED) {
      intent.status = "requires_action";
      intent.next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} };
      return;
    }
    const decline_code = DECLINES[method];
    if (decline_code) {
      const code = "card_declined";
      const message = "Your card was declined.";
      intent.status = "requires_payment_method";
      intent.payment_method = null;
      intent.last_payment_error = { type: "card_error", code, decline_code, message };
      const payment_intent = structuredClone(intent);
      throw new Refused(402, { type: "card_error", code, decline_code, message, payment_intent });
    }
    const charge = chargeOf(intent, this.#newId("ch"), this.#nowS());
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    intent.status = "requires_capture";
    intent.amount_capturable = intent.amount;
  }

  capture(intent: Stripe.PaymentIntent): void {
    this.#mustBe(intent, "requires_capture");
    if (intent.payment_method === "pm_double_captureRefused") {
      throw new Refused(402, { type: "card_error", code: "capture_charge_authorization_expired" });
    }
    const charge = this.chargeOf(intent);
    charge.captured = true;
    charge.amount_captured = charge.amount;
    charge.balance_transaction = this.#moved(charge.amount, charge.id, "charge", charge);
    intent.status = "succeeded";
    intent.amount_capturable = 0;
    intent.amount_received = intent.amount;
  }

  cancel(intent: Stripe.PaymentIntent, reason: string): void {
    this.#mustBe(
      intent,
      ...["requires_payment_method", "requires_confirmation", "requires_action"],
      "requires_capture",
    );
    intent.status = "canceled";
    intent.canceled_at = this.#nowS();
    intent.cancellation_reason = reason === "" ? null : reason;
    intent.amount_capturable = 0;
    intent.next_action = null;
  }

  /** The charge of an authorized intent. */
  chargeOf({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge {
    return this.charges.get(String(latest_charge))!;
  }

  refund(intent: Stripe.PaymentIntent, amount: number, metadata: Stripe.Metadata): Stripe.Refund {
    if (intent.status !== "succeeded") {
      throw new Refused(400, { message: "This PaymentIntent has no successful charge to refund." });
    }
    const charge = this.chargeOf(intent);
    const isDisputed = [...this.disputes.values()].some(({ charge: of, status }) => {
      return of === charge.id && status !== "won";
    });
    if (isDisputed) throw new Refused(400, { code: "charge_disputed" });
    if (charge.refunded) throw new Refused(400, { code: "charge_already_refunded" });
    if (amount > charge.amount - charge.amount_refunded) {
      throw new Refused(400, { param: "amount", message: "Refund amount is greater than charge." });
    }
    const isPending = intent.payment_method === "pm_double_refundPending";
    const status = isPending ? "pending" : "succeeded";
    const id = this.#newId("re");
    const refund = refundOf(charge, { id, amount, created: this.#nowS(), status, metadata });
    this.refunds.set(id, refund);
    this.#refunded(charge, amount);
    refund.balance_transaction = this.#moved(-amount, id, "refund", charge);
    return refund;
  }

  /** Ends a refund, which may have succeeded before; a failed one gives the amount back. */
  endRefund(refund: Stripe.Refund, status: "succeeded" | "failed"): void {
    refund.status = status;
    if (status === "succeeded") return;
    const charge = this.charges.get(String(refund.charge))!;
    refund.failure_reason = "lost_or_stolen_card";
    this.#refunded(charge, -refund.amount);
    const { id, amount } = refund;
    refund.failure_balance_transaction = this.#moved(amount, id, "refund_failure", charge);
  }

  /** The bank takes a charge back, or decides about it. */
  dispute(intent: Stripe.PaymentIntent, status: Stripe.Dispute["status"]): Stripe.Dispute {
    const charge = this.chargeOf(intent);
    const known = [...this.disputes.values()].find((each) => each.charge === charge.id);
    const id = known?.id ?? this.#newId("du");
    const dispute = known ?? disputeOf(charge, { id, created: this.#nowS(), status });
    dispute.status = status;
    this.disputes.set(id, dispute);
    const amount = { needs_response: -charge.amount, won: charge.amount }[String(status)];
    if (amount) this.#moved(amount, id, "adjustment", charge);
    charge.disputed = true;
    return dispute;
  }

  #refunded(charge: Stripe.Charge, amount: number): void {
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
  }

  #moved(
    amount: number,
    source: string,
    type: Stripe.BalanceTransaction["type"],
    { currency }: Stripe.Charge,
  ): string {
    const id = this.#newId("txn");
    const created = this.#nowS();
    this.movements.set(id, balanceTransaction({ id, amount, created, currency, source, type }));
    return id;
  }

  #mustBe(intent: Stripe.PaymentIntent, ...states: readonly string[]): void {
    if (states.includes(intent.status)) return;
    const code = "payment_intent_unexpected_state";
    throw new Refused(400, { code, payment_intent: structuredClone(intent) });
  }

  #newId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}_${String(this.#lastId).padStart(9, "0")}`;
  }

  #nowS(): number {
    return Math.floor(this.#now() / 1_000);
  }
}
