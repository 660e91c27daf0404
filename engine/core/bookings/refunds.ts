/**
 * Refunds: requested by a cancellation, a no-show or the property in one row, settled by the
 * provider. The key of the call waits a little for the provider, so that the answer can say
 * `succeeded`; `sealWaiting` ends that wait. The requests of the property are in `desk-refunds.ts`.
 */
import { assert } from "../assert.ts";
import type { CommandMeta, RecordRefundResult } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "../decision.ts";
import { assertRefundable } from "../holds/invariants.ts";
import { deriveId } from "../ids.ts";
import type { Receipt, SuccessOf } from "../outcomes.ts";
import type { EncryptedFields } from "../parties.ts";
import { recorded } from "../record-damage.ts";
import type { Booking, Refund } from "../records.ts";
import type { RefundReason, RefundState } from "../refund-words.ts";
import type { AwaitedRefund } from "../state/state.ts";
import { refundableOf } from "./refundable.ts";

/** What a cancellation or a no-show gives back. */
interface MoneyBack {
  readonly refund: number;
  /** Null when nothing is refunded. */
  readonly refund_id: string | null;
  /** Refunded or requested before, minor units; absent for nothing. */
  readonly refunded_before?: number;
  /** The bank decides about the money; absent unless that keeps a refund back. */
  readonly withheld?: "dispute";
}

/**
 * The refund when `fee` is charged: what the terms promise, as far as it is not refunded yet. So
 * `kept` + all refunds = captured, and refunds of the property before come out of the fee.
 */
export function refundAfter(
  fee: number,
  command: Pick<CommandMeta, "random">,
  booking: Booking,
  ctx: Context,
): MoneyBack {
  const { quote, payment_id, property_id } = booking;
  assert(fee >= 0 && fee <= quote.due_now, "a fee is a part of what was due");
  assert(payment_id !== null || quote.due_now === 0, "what was due was paid");
  assert(property_id === quote.property_id, "a booking is of its quote's property");
  const money = refundableOf(booking, ctx.records);
  if (money === null) return { refund: 0, refund_id: null };
  assert(money.captured >= quote.due_now, "a change of the stay takes no more money");
  const { remaining, disputed = 0 } = money;
  const owed = quote.due_now - fee;
  const refund = Math.min(owed, remaining);
  // A refund of a cheaper stay has lowered `due_now`: it is not one that comes out of the fee.
  const before = Math.max(0, quote.due_now - remaining - disputed);
  const isWithheld = Math.min(owed, disputed) > 0;
  return {
    refund,
    refund_id: refund > 0 ? refundId(command, ctx) : null,
    ...(before > 0 && { refunded_before: before }),
    ...(isWithheld && { withheld: "dispute" }),
  };
}

/** The id of the refund that a command requests. */
export function refundId({ random }: Pick<CommandMeta, "random">, { stamp }: Context): string {
  return deriveId("rfd", stamp, random, 3);
}

/** Earlier refunds and what is kept, for the answer; nothing without earlier ones. */
export function afterEarlier({ refund, refunded_before }: MoneyBack, { quote }: Booking) {
  if (refunded_before === undefined) return {};
  const { currency, due_now } = quote;
  return {
    refunded_before: { amount: refunded_before, currency },
    kept: { amount: due_now - refunded_before - refund, currency },
  };
}

/** A refund as the cancelling call returns it; null for none. */
export function pendingRefund(refund_id: string | null, amount: number) {
  return refund_id === null ? null : { refund_id, amount, state: "pending" as const };
}

/** What a refund is of; the booking is null for a capture that came too late for one. */
type Refunded = Pick<Refund, "booking_id" | "property_id" | "currency"> & {
  readonly payment_id: string | null;
};

/** The same for a booking's refund. */
export function ofBooking({ payment_id, booking_id, property_id, quote }: Booking): Refunded {
  return { payment_id, booking_id, property_id, currency: quote.currency };
}

/**
 * Requests the refund, if any; returns whether there is one. `encrypted` of the command is the
 * operator's note.
 */
export function addRefund(
  command: CommandMeta & { readonly encrypted?: EncryptedFields },
  { payment_id, booking_id, property_id, currency }: Refunded,
  refund: {
    readonly refund_id: string | null;
    readonly amount: number;
    readonly reason: RefundReason;
    readonly retry_of?: string;
  },
  ctx: Context,
  events: EventList,
): boolean {
  const { refund_id, amount, reason, retry_of } = refund;
  if (refund_id === null || payment_id === null) return false;
  const payment = recorded(ctx.records.payment(payment_id), "payment", payment_id);
  assertRefundable(payment, amount);
  assert(payment.property_id === property_id, "a booking and its payment are of one property");
  const { key, body_hash, docs, encrypted } = command;
  const note = encrypted && { encrypted };
  events.add({
    type: "refund.requested",
    data: {
      ...{ refund_id, payment_id, booking_id, property_id, amount, currency, reason },
      ...(retry_of !== undefined && { retry_of }),
    },
    ...(key && body_hash ? { secret: { key, body_hash, docs, ...note } } : {}),
  });
  return true;
}

type Waiting = SuccessOf<"cancellation" | "no_show" | "modification" | "refund">;

/** The provisional answer of a waiting key, with the refund's end filled in. */
function answered(
  awaited: AwaitedRefund,
  end: Pick<RecordRefundResult, "provider_code"> & { readonly state: RefundState },
  ctx: Context,
  receipt?: Receipt,
): Waiting {
  const stored = ctx.records.outcomeOf(awaited.key.key);
  assert(stored?.ok === true, "a call that waits for its refund has an answer");
  const { refund_id } = awaited;
  if (stored.kind === "refund") {
    const { data } = stored;
    assert(data.refund_id === refund_id, "the answer names the refund it waits for");
    const remaining = data.remaining + (end.state === "failed" ? data.amount : 0);
    return { ...stored, data: { ...data, ...end, remaining }, ...(receipt && { receipt }) };
  }
  const { kind } = stored;
  const isOne = kind === "cancellation" || kind === "no_show" || kind === "modification";
  assert(isOne, "the answer of a call that waits for its refund has one");
  const { refund } = stored.data;
  assert(refund?.refund_id === refund_id, "the answer names the refund it waits for");
  return { ...stored, data: { ...stored.data, refund: { ...refund, ...end } } } as Waiting;
}

/** Ends the wait of a key without a verdict: its answer says `pending`. */
export function sealWaiting(awaited: AwaitedRefund, ctx: Context): Decision {
  const outcome = answered(awaited, { state: "pending" }, ctx);
  return { events: [], outcome, phase: "sealed", key: awaited.key };
}

/**
 * Records the provider's verdict on a refund and answers the waiting call, if any. A refund that
 * has succeeded can still fail at the provider: then its amount is the property's again.
 */
export function recordRefundResult(command: RecordRefundResult, ctx: Context): Decision {
  const { refund_id, result: state, provider_code } = command;
  const refund = recorded(ctx.records.refund(refund_id), "refund", refund_id);
  const failsLate = refund.state === "succeeded" && state === "failed" && !refund.elsewhere;
  if (refund.state !== "pending" && !failsLate) {
    const outcome = success(command, "internal", { refund_id, changed: false });
    return { events: [], outcome, phase: "transient" };
  }
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const receipt = addResult(command, refund, ctx, events);
  const awaited = ctx.state.awaitingRefund.get(refund_id);
  if (!awaited) {
    const outcome = success(command, "internal", { refund_id, changed: true });
    return { events: events.list, outcome, phase: "transient" };
  }
  const end = { state, ...(state === "failed" && provider_code ? { provider_code } : {}) };
  const outcome = answered(awaited, end, ctx, receipt);
  return { events: events.list, outcome, phase: "sealed", key: awaited.key };
}

/** Adds the event of the verdict; returns the receipt of a success. */
function addResult(
  command: RecordRefundResult,
  refund: Refund,
  ctx: Context,
  events: EventList,
): Receipt | undefined {
  const { refund_id, payment_id, booking_id, amount } = refund;
  const ids = { refund_id, payment_id, booking_id };
  if (command.result === "failed") {
    const provider_code = command.provider_code ?? null;
    const late = refund.state === "succeeded" && ({ after_success: true, amount } as const);
    events.add({ type: "refund.failed", data: { ...ids, provider_code, ...late } });
    return undefined;
  }
  assertRefundable(recorded(ctx.records.payment(payment_id), "payment", payment_id), amount);
  const receipt = refundReceipt(refund, ctx);
  events.add({ type: "refund.succeeded", data: { ...ids, amount, receipt } });
  return receipt;
}

/** The `refund_issued` receipt; `more` joins its subject. */
export function refundReceipt(
  { refund_id, payment_id, booking_id, amount, currency }: Refund,
  ctx: Context,
  more: Receipt["subject"] = {},
): Receipt {
  return ctx.sign("refund_issued", ctx.now, {
    ...{ refund_id, payment_id },
    ...(booking_id ? { booking_id } : {}),
    ...{ amount, currency, ...more },
  });
}
