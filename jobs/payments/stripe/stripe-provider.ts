/**
 * Payments by Stripe. A payment is a PaymentIntent with manual capture: `create` registers it,
 * `confirm` authorizes it, asks the journal once more and captures. So a payment that is not wanted
 * any more is cancelled without a refund.
 *
 * Stripe replays the first answer to an idempotency key, also a 500, and forgets keys after a day.
 * So intents and refunds carry our ids in `metadata`, and are looked for before a key is replaced.
 */
import type Stripe from "stripe";
import { idTime } from "../../../engine/core/ids.ts";
import type {
  ChargePage,
  ChargeReport,
  ConfirmCharge,
  CreateCharge,
  DisputeReport,
  PaymentProvider,
  ProviderFailure,
  ProviderReply,
  RefundCharge,
  RefundReport,
  Registration,
} from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import { changedPage } from "./changes.ts";
import { openClient, type StripeAccount } from "./client.ts";
import { intentOfPage, takeOver } from "./page-intent.ts";
import {
  ABANDONED,
  cardDeclineOf,
  disputeReportOf,
  failure,
  failureOf,
  holdsMoney,
  isReplayed,
  isServerFault,
  refundFailureOf,
  refundReportOf,
  refusalOf,
  reportOf,
} from "./reports.ts";

const TIMEOUT: ProviderFailure = { ok: false, error: "timeout" };
/** Stripe's clock may be behind ours by this much. */
const SLACK_S = 600;
const PAGE = 100;

/** The account, and how it is used. */
export interface StripeOptions extends StripeAccount {
  /**
   * The journal may have lost charges to a restore: each payment first asks whether an earlier one
   * of its booking holds money. The search that answers it is a minute behind.
   */
  readonly asksForEarlier: boolean;
}

type Decided = ChargeReport<"captured" | "declined">;
type Ended = ChargeReport<"cancelled" | "captured" | "declined">;

/** Stripe as a payment provider. */
export class StripeProvider implements PaymentProvider {
  readonly #client: Stripe;
  readonly #asksForEarlier: boolean;
  readonly #closed = Promise.withResolvers<ProviderFailure>();

  /** Opens the provider; the first call shows whether the key is accepted. */
  constructor({ asksForEarlier, ...account }: StripeOptions) {
    this.#client = openClient(account);
    this.#asksForEarlier = asksForEarlier;
  }

  create(input: CreateCharge): Promise<ProviderReply<Registration | ChargeReport<"declined">>> {
    return this.#ask(async () => {
      const ofPage = intentOfPage(input);
      if (ofPage !== null) return this.#takenOver(ofPage, input);
      try {
        return { ok: true, ref: (await this.#register(input, input.key)).id };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) return { ok: true, ...refusal };
        if (!isServerFault(error)) return failureOf(error);
        const registered = await this.#registered(input.key);
        // The intent that may appear later is never confirmed.
        const intent = registered ?? (await this.#register(input, `${input.key}.2`));
        return { ok: true, ref: intent.id };
      }
    });
  }

  confirm(input: ConfirmCharge): Promise<ProviderReply<Decided>> {
    return this.#ask(async () => {
      if (input.signal.aborted) return TIMEOUT;
      const isBlocked = this.#asksForEarlier && (await this.#earlierStands(input.ref));
      if (isBlocked) return failure("earlier_charge_stands");
      const intent = await this.#authorized(input);
      if ("state" in intent) return { ok: true, ...intent };
      if (intent.status !== "requires_capture") return this.#undecided(intent);
      if (input.signal.aborted || !input.isWanted()) {
        await this.#client.paymentIntents.cancel(input.ref);
        return TIMEOUT;
      }
      const options = { idempotencyKey: `${input.key}-c` };
      const captured = await this.#client.paymentIntents.capture(input.ref, {}, options);
      const report = reportOf(captured);
      return isDecided(report) ? { ok: true, ...report } : failure(captured.status);
    });
  }

  read(ref: string): Promise<ProviderReply<ChargeReport>> {
    return this.#ask(async () => ({ ok: true, ...reportOf(await this.#intent(ref)) }));
  }

  cancel(ref: string): Promise<ProviderReply<Ended>> {
    return this.#ask(async () => {
      const intent = await this.#intent(ref);
      const report = reportOf(intent);
      if (isEnded(report)) return { ok: true, ...report };
      if (intent.status === "processing") return failure("processing");
      try {
        return await this.#cancelled(intent);
      } catch (error) {
        // It may have been captured meanwhile.
        const now = reportOf(await this.#intent(ref));
        return isEnded(now) ? { ok: true, ...now } : failureOf(error);
      }
    });
  }

  refund({ ref, key, amount, currency }: RefundCharge): Promise<ProviderReply<RefundReport>> {
    const refund = {
      payment_intent: ref,
      amount: toStripeAmount(amount, currency),
      metadata: { refund_id: key },
    };
    return this.#ask(async () => {
      // First, because a refund that waits longer than a day is unknown to Stripe by its key.
      const known = await this.#refundOf(ref, key);
      if (known) return { ok: true, ...refundReportOf(known) };
      try {
        const made = await this.#client.refunds.create(refund, { idempotencyKey: key });
        return { ok: true, ...refundReportOf(made) };
      } catch (error) {
        const failed = refundFailureOf(error);
        if (failed) return { ok: true, ...failed };
        if (!isServerFault(error)) return failureOf(error);
        const found = await this.#refundOf(ref, key);
        if (found) return { ok: true, ...refundReportOf(found) };
        if (!isReplayed(error)) return failureOf(error);
        // That call has ended and refunded nothing; its answer would be replayed for a day.
        const again = { idempotencyKey: `${key}.2` };
        return { ok: true, ...refundReportOf(await this.#client.refunds.create(refund, again)) };
      }
    });
  }

  readRefund({ ref, key }: Pick<RefundCharge, "ref" | "key">) {
    return this.#ask<RefundReport>(async () => {
      const known = await this.#refundOf(ref, key);
      return known ? { ok: true, ...refundReportOf(known) } : { ok: false, error: "not_found" };
    });
  }

  readDispute(id: string): Promise<ProviderReply<DisputeReport>> {
    return this.#ask(async () => {
      const dispute = await this.#dispute(id);
      const report = dispute && disputeReportOf(dispute);
      return report ? { ok: true, ...report } : { ok: false, error: "not_found" };
    });
  }

  changedSince(sinceMs: number, page: string | null): Promise<ProviderReply<ChargePage>> {
    return this.#ask(async () => ({
      ok: true,
      ...(await changedPage(this.#client, sinceMs, page)),
    }));
  }

  close(): void {
    this.#closed.resolve(TIMEOUT);
  }

  /** A call, its errors as failures; `timeout` once the provider is closed. */
  #ask<T>(call: () => Promise<ProviderReply<T>>): Promise<ProviderReply<T>> {
    return Promise.race([this.#closed.promise, call().catch(failureOf)]);
  }

  #intent(ref: string): Promise<Stripe.PaymentIntent> {
    return this.#client.paymentIntents.retrieve(ref);
  }

  #register(charge: CreateCharge, idempotencyKey: string): Promise<Stripe.PaymentIntent> {
    const { key, about, amount, currency, token } = charge;
    const { tenant_id, mode, booking_key } = about;
    const card = token.startsWith("tok_")
      ? { payment_method_data: { type: "card" as const, card: { token } } }
      : { payment_method: token };
    return this.#client.paymentIntents.create(
      {
        ...{ amount: toStripeAmount(amount, currency), currency: currency.toLowerCase(), ...card },
        ...{ capture_method: "manual", payment_method_types: ["card"] },
        metadata: { payment_id: key, tenant_id, mode, booking_key },
      },
      { idempotencyKey },
    );
  }

  /** The intent that a person has authorized on a page becomes that of the payment. */
  async #takenOver(
    id: string,
    charge: CreateCharge,
  ): Promise<ProviderReply<Registration | ChargeReport<"declined">>> {
    const isTaken = await takeOver(this.#client, id, charge);
    if (isTaken) return { ok: true, ref: id };
    return { ok: true, state: "declined", code: "authorization_not_usable" };
  }

  /** The intent of a payment id. Lists are consistent, unlike the search. */
  async #registered(paymentId: string): Promise<Stripe.PaymentIntent | null> {
    const gte = Math.floor(idTime(paymentId) / 1_000) - SLACK_S;
    for await (const intent of this.#client.paymentIntents.list({
      created: { gte },
      limit: PAGE,
    })) {
      if (intent.metadata.payment_id === paymentId) return intent;
    }
    return null;
  }

  /** A dispute by its id, or the last one about an intent. */
  async #dispute(id: string): Promise<Stripe.Dispute | null> {
    const expanded = { expand: ["payment_intent"] };
    if (!id.startsWith("pi_")) return this.#client.disputes.retrieve(id, expanded);
    const { data } = await this.#client.disputes.list({
      ...{ payment_intent: id, limit: 1 },
      expand: ["data.payment_intent"],
    });
    return data[0] ?? null;
  }

  /** The confirmed intent, or its verdict. */
  async #authorized({ ref, key }: ConfirmCharge): Promise<Stripe.PaymentIntent | Decided> {
    try {
      const intent = await this.#client.paymentIntents.confirm(ref, {}, { idempotencyKey: key });
      if (intent.status !== "requires_action") return verdictOrIntent(intent);
      return verdictOrIntent(await this.#client.paymentIntents.cancel(ref, abandoned));
    } catch (error) {
      const decline = cardDeclineOf(error);
      if (decline) return decline;
      if (!isUnexpectedState(error)) throw error;
      return verdictOrIntent(await this.#intent(ref));
    }
  }

  /** True when another payment of the same booking key takes or holds money. */
  async #earlierStands(ref: string): Promise<boolean> {
    const { metadata } = await this.#intent(ref);
    const query = `metadata["booking_key"]:"${metadata.booking_key}"`;
    const found = this.#client.paymentIntents.search({
      ...{ query, limit: PAGE },
      expand: ["data.latest_charge"],
    });
    for await (const intent of found) {
      if (intent.id !== ref && holdsMoney(intent)) return true;
    }
    return false;
  }

  /** The reply about an intent that another call has ended, or that Stripe is still deciding. */
  #undecided({ status }: Stripe.PaymentIntent): ProviderFailure {
    return failure(status === "canceled" ? "charge_cancelled" : status);
  }

  async #cancelled({ id, status }: Stripe.PaymentIntent): Promise<ProviderReply<Ended>> {
    const reason = status === "requires_action" ? abandoned : {};
    const report = reportOf(await this.#client.paymentIntents.cancel(id, reason));
    return isEnded(report) ? { ok: true, ...report } : failure("processing");
  }

  async #refundOf(ref: string, refundId: string): Promise<Stripe.Refund | null> {
    const refunds = this.#client.refunds.list({ payment_intent: ref, limit: PAGE });
    for await (const refund of refunds) {
      if (refund.metadata?.refund_id === refundId) return refund;
    }
    return null;
  }
}

const abandoned = { cancellation_reason: ABANDONED } as const;

function isDecided(report: ChargeReport): report is Decided {
  return report.state === "captured" || report.state === "declined";
}

function isEnded(report: ChargeReport): report is Ended {
  return report.state === "cancelled" || isDecided(report);
}

function verdictOrIntent(intent: Stripe.PaymentIntent): Stripe.PaymentIntent | Decided {
  const report = reportOf(intent);
  return isDecided(report) ? report : intent;
}

function isUnexpectedState(error: unknown): boolean {
  return (error as Stripe.errors.StripeError).code === "payment_intent_unexpected_state";
}
