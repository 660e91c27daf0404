/**
 * The payment provider: each payment and refund gets one fate, told in results that may come late,
 * after a silence of a day, or through `unknown` first. Its fate never changes, however often the
 * engine asks again, and what it captured is counted here, independently of the engine.
 */
import type {
  CommandMeta,
  RecordPaymentReference,
  RecordPaymentResult,
} from "../../engine/core/commands.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { disputeIn, paymentResult, refundResult } from "../support/builders.ts";
import type { Sent } from "./model.ts";
import type { Random } from "./random.ts";

/** A command on its way; not delivered before `at`, engine time. */
export interface Message extends Sent {
  readonly at: number;
}

const DAY_MS = 86_400_000;

export class Provider {
  /** Amount by payment, once captured. */
  readonly captured = new Map<string, number>();
  readonly #random: Random;
  readonly #meta: () => Partial<CommandMeta>;
  readonly #known = new Set<string>();

  constructor(random: Random, meta: () => Partial<CommandMeta>) {
    this.#random = random;
    this.#meta = meta;
  }

  /** What will come of a payment; nothing when it was already asked for. */
  charge(payment: Payment, now: number): Message[] {
    if (this.#known.has(payment.payment_id)) return [];
    this.#known.add(payment.payment_id);
    const random = this.#random;
    const fate = random.weighted({
      captured: 52,
      declined: 12,
      provider_error: 10,
      "unknown captured": 8,
      "unknown cancelled": 5,
      "silent captured": 8,
      "silent cancelled": 5,
    });
    const [first, last = first] = fate.split(" ");
    const result = last as RecordPaymentResult["result"];
    if (result === "captured") this.captured.set(payment.payment_id, payment.amount);
    const messages: Message[] = [];
    // Journaled before, told with the verdict, or never heard of.
    const told = random.weighted({ before: 40, with: 40, never: 20 });
    if (told === "before") messages.push(this.#reference(payment, now + random.between(1, 50)));
    let at = now + random.between(50, 3_000);
    if (first !== last) {
      messages.push(this.#result(payment, "unknown", now + 10_000));
      const silenceMs = first === "silent" ? DAY_MS : 30_000;
      at = now + silenceMs + random.between(0, 600_000);
    }
    const verdict = this.#result(payment, result, at);
    const ref = { provider_ref: `ch_${payment.payment_id}` };
    const command = told === "with" ? { ...verdict.command, ...ref } : verdict.command;
    messages.push({ ...verdict, command });
    if (result === "captured") messages.push(...this.#disputes(payment, at));
    return messages;
  }

  /** What will come of a refund; nothing when it was already asked for. */
  refund(refund: Refund, now: number): Message[] {
    if (this.#known.has(refund.refund_id)) return [];
    this.#known.add(refund.refund_id);
    const { tenant_id, mode } = refund;
    const result = this.#random.chance(80) ? "succeeded" : "failed";
    const meta = { ...this.#meta(), tenant_id, mode };
    const command = refundResult(refund.refund_id, result, meta);
    const waitMs = this.#random.chance(25) ? DAY_MS : 9_000;
    const at = now + this.#random.between(50, waitMs);
    const messages = [{ at, command, isLapsed: false }];
    if (result === "failed" || !this.#random.chance(15)) return messages;
    // The guest's bank sends the money back later.
    const late = refundResult(refund.refund_id, "failed", { ...this.#meta(), tenant_id, mode });
    return [
      ...messages,
      { at: at + this.#random.between(50, DAY_MS), command: late, isLapsed: false },
    ];
  }

  /** What the guest's bank does about a captured payment, in any order and sometimes twice. */
  #disputes(payment: Payment, capturedAt: number): Message[] {
    const random = this.#random;
    if (!random.chance(12)) return [];
    const end = random.weighted({ none: 20, won: 40, lost: 40 });
    const states = (["open", "open", end] as const).filter((state) => state !== "none");
    const { tenant_id, mode, payment_id } = payment;
    const dispute_id = `dp_${payment_id}`;
    return states.map((state) => {
      const meta = { ...this.#meta(), tenant_id, mode };
      const command = disputeIn(state, payment_id, { ...meta, dispute_id });
      return { at: capturedAt + random.between(50, DAY_MS), command, isLapsed: false };
    });
  }

  #result(payment: Payment, result: RecordPaymentResult["result"], at: number): Message {
    const { tenant_id, mode, payment_id } = payment;
    const command = paymentResult(payment_id, result, { ...this.#meta(), tenant_id, mode });
    return { at, command, isLapsed: false };
  }

  #reference(payment: Payment, at: number): Message {
    const {
      type: _type,
      result: _result,
      ...meta
    } = this.#result(payment, "unknown", at).command as RecordPaymentResult;
    const type = "RecordPaymentReference";
    const command: RecordPaymentReference = { ...meta, type, provider_ref: `ch_${meta.random}` };
    return { at, command, isLapsed: false };
  }
}
