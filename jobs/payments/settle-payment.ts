/**
 * The worker's half of the booking saga: two calls to the provider, with a
 * read of the journal immediately before each; or one call, where references follow from payment
 * ids and the reference is journaled with the verdict.
 *
 * Invariants: money moves only after the journal has the key or reference that the provider is
 * asked by, so after a crash the payment can be read. A payment fails only on a definitive answer
 * (a decline or a successful cancel), never without one. So repeated or concurrent runs have the
 * same result.
 */
import type { RecordPaymentResult } from "../../engine/core/commands.ts";
import type { Payment } from "../../engine/core/records.ts";
import type { AtOnce, ChargeReport, CreateCharge, ProviderReply } from "./provider.ts";
import { PAYMENT_BUDGET_MS, resultMeta, type Settling, submitResult } from "./settling.ts";
import { TimeLimit } from "./time-limit.ts";

/** Limit of a reconciliation; the next sweep repeats it. */
const RECONCILE_MS_MAX = 5_000;
const RETRY_EVERY_MS = 250;

type Verdict = Pick<
  RecordPaymentResult,
  "result" | "provider_ref" | "provider_code" | "provider_message"
>;
type Referenced = Payment & { readonly provider_ref: string };

/**
 * Settles a payment as far as the provider allows. `deadlineMs` is the engine time at which the
 * client's wait ends, by default 10 s after the payment's creation.
 */
export async function settlePayment(
  payment: Payment,
  deadlineMs: number | undefined,
  settling: Settling,
): Promise<void> {
  const deadline = deadlineMs ?? payment.created_at + PAYMENT_BUDGET_MS;
  const leftMs = Math.min(PAYMENT_BUDGET_MS, deadline - settling.now());
  const isFirstAttempt = payment.state === "pending" && leftMs > 0;
  const limit = new TimeLimit(isFirstAttempt ? leftMs : RECONCILE_MS_MAX, settling.stopping);
  try {
    const run = new PaymentRun(payment, limit, settling);
    await (isFirstAttempt ? run.attempt() : run.reconcile());
  } finally {
    limit.end();
  }
}

function verdictOf({ state, code, message }: ChargeReport): Verdict {
  if (state === "created" || state === "processing") return { result: "unknown" };
  return {
    result: state,
    ...(code !== undefined && { provider_code: code }),
    ...(message !== undefined && { provider_message: message }),
  };
}

/** The payment, or null after its verdict. */
function ifOpen(payment: Payment | null): Payment | null {
  return payment?.state === "pending" || payment?.state === "unknown" ? payment : null;
}

/** One run with one payment. */
class PaymentRun {
  /** As read at the start. */
  readonly #payment: Payment;
  readonly #limit: TimeLimit;
  readonly #settling: Settling;
  /** The last failure of the provider; null for none. */
  #failure: string | null = null;

  constructor(payment: Payment, limit: TimeLimit, settling: Settling) {
    this.#payment = payment;
    this.#limit = limit;
    this.#settling = settling;
  }

  /** While the client waits: takes the money; after an error ensures that none is taken. */
  async attempt(): Promise<void> {
    const { atOnce } = this.#settling.provider;
    if (atOnce && this.#payment.provider_ref === null) return this.#takeAtOnce(atOnce);
    const payment = await this.#referenced();
    // A payment that was given up once must not be confirmed.
    if (payment?.state !== "pending") return this.#leave();
    const { provider } = this.#settling;
    const { signal } = this.#limit;
    const key = `${payment.payment_id}-${payment.attempt}`;
    const ref = payment.provider_ref;
    const isWanted = () => this.#open()?.state === "pending";
    const reply = await this.#ask(() => provider.confirm({ ref, key, signal, isWanted }));
    if (reply.ok) return this.#record(verdictOf(reply));
    return this.#withdraw(reply.code);
  }

  /** As `attempt`; after an error journals the reference before it continues. */
  async #takeAtOnce(atOnce: AtOnce): Promise<void> {
    const charge = this.#chargeOf(this.#payment);
    if (charge === null) return this.#leave();
    const { signal } = this.#limit;
    const reply = await this.#ask(() => atOnce.take({ ...charge, signal }));
    if (reply.ok) {
      return this.#record({ ...verdictOf(reply), provider_ref: atOnce.refOf(charge.key) });
    }
    await this.#referenced();
    return this.#withdraw(reply.code);
  }

  /** Without a waiting client: reads the state, and cancels the payment if it is undecided. */
  async reconcile(): Promise<void> {
    const payment = await this.#referenced();
    if (!payment) return this.#leave();
    const { provider } = this.#settling;
    const ref = payment.provider_ref;
    const found = await this.#ask(() => provider.read(ref));
    if (!found.ok) return this.#leave();
    if (found.state !== "created" && found.state !== "processing") {
      return this.#record(verdictOf(found));
    }
    if (!this.#open()) return;
    const reply = await this.#ask(() => provider.cancel(ref));
    return reply.ok ? this.#record(verdictOf(reply)) : this.#leave();
  }

  /** A call within the time limit; its failure is kept for the log. */
  async #ask<T>(call: () => Promise<ProviderReply<T>>): Promise<ProviderReply<T>> {
    const reply = await this.#limit.ask(call);
    if (!reply.ok) this.#failure = reply.code ?? reply.error;
    return reply;
  }

  /** The payment as the journal has it now; null after its verdict. */
  #open(): Payment | null {
    return ifOpen(this.#settling.records.payment(this.#payment.payment_id));
  }

  /**
   * The open payment with its journaled reference. `create` with the payment's id as key always
   * returns the same one, so it is repeated until call and journaling succeed. Null after the
   * verdict, which may be the reply to `create`, or the time limit.
   */
  async #referenced(): Promise<Referenced | null> {
    const { provider } = this.#settling;
    let payment = ifOpen(this.#payment);
    for (; !this.#limit.isOver; payment = this.#open()) {
      if (!payment) return null;
      const { provider_ref } = payment;
      if (provider_ref !== null) return { ...payment, provider_ref };
      const charge = this.#chargeOf(payment);
      if (charge === null) return null;
      const reply = await this.#ask(() => provider.create(charge));
      if (reply.ok && "state" in reply) {
        await this.#record(verdictOf(reply));
        return null;
      }
      const isJournaled = reply.ok && (await this.#reference(payment, reply.ref));
      if (!isJournaled) await this.#limit.pause(RETRY_EVERY_MS);
    }
    return null;
  }

  /** The charge to create; null when the token can no longer be decrypted. */
  #chargeOf(payment: Payment): CreateCharge | null {
    const { openToken, log } = this.#settling;
    const { payment_id, tenant_id, mode, key, amount, currency, method } = payment;
    const token = openToken(payment);
    if (token === null) {
      log("error", "cannot decrypt the token of a payment", { payment_id });
      return null;
    }
    const about = { tenant_id, mode, booking_key: key };
    return { key: payment_id, about, amount, currency, token, method };
  }

  #reference(payment: Payment, ref: string): Promise<boolean> {
    return submitResult(this.#settling, {
      ...resultMeta(payment, payment),
      type: "RecordPaymentReference",
      payment_id: payment.payment_id,
      provider_ref: ref,
    });
  }

  /** After an error: cancels until the provider gives a verdict or the time is up. */
  async #withdraw(code: string | undefined): Promise<void> {
    const { provider } = this.#settling;
    while (!this.#limit.isOver) {
      const ref = this.#open()?.provider_ref;
      if (!ref) return;
      const reply = await this.#ask(() => provider.cancel(ref));
      if (reply.ok && reply.state !== "cancelled") return this.#record(verdictOf(reply));
      if (reply.ok) {
        const provider_code = code ?? "provider_error";
        return this.#record({ result: "provider_error", provider_code });
      }
      await this.#limit.pause(RETRY_EVERY_MS);
    }
    return this.#leave();
  }

  /** Without a verdict: the units stay held, and sweeps reconcile the payment. */
  async #leave(): Promise<void> {
    if (this.#settling.stopping.aborted || this.#open()?.state !== "pending") return;
    await this.#record({ result: "unknown" });
  }

  async #record(verdict: Verdict): Promise<void> {
    const { payment_id, trace_id } = this.#payment;
    if (verdict.result === "unknown" || verdict.result === "provider_error") {
      const fields = { payment_id, trace_id, failure: this.#failure, ...verdict };
      this.#settling.log("warn", "a payment has no final verdict", fields);
    }
    await submitResult(this.#settling, {
      ...resultMeta(this.#payment, this.#payment),
      type: "RecordPaymentResult",
      payment_id,
      ...verdict,
    });
  }
}
