/** What bookings, payments, cancellations and refunds come to. */
import type {
  BeginBooking,
  CancelBooking,
  CommandMeta,
  RecordPaymentReference,
  RecordPaymentResult,
  RecordRefundResult,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { FeeTable } from "../../engine/core/price/quote.ts";
import type { BookingState } from "../../engine/core/records.ts";
import { check, same } from "./check.ts";
import { consume, expectAuthorized, returnedBy } from "./model-authorizations.ts";
import { isRefusal, usable } from "./model-holds.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  keyOf,
  type ModelBooking,
  type ModelHold,
  type ModelLedger,
  type ModelPayment,
  noted,
  refused,
  succeeded,
} from "./model-ledger.ts";

/** `POST /v1/bookings` up to the provider. */
export function expectBooking(command: BeginBooking, stamp: number, ledger: ModelLedger): Expected {
  const uncovered = expectUncovered(command, command.hold_id);
  if (uncovered) return uncovered;
  const named = ledger.holds.get(command.hold_id);
  const { max_amount = Infinity } = command.consent.claims;
  const isDear = named !== undefined && named.quote.total > max_amount;
  if (isDear && !isForeign(command, named)) return unmet(command, "max_amount");
  const hold = usable(command, stamp, ledger);
  if (isRefusal(hold)) return hold;
  const { quote } = hold;
  const ids = { hold_id: hold.id };
  if (quote.quote_id !== command.quote_id) return refused(command, "quote_mismatch", ids);
  const { desk, actor } = command;
  if (desk && hold.agent_id !== actor.id) {
    return refused(command, "resource_access_denied", { reason: "hold_of_another" });
  }
  if (desk?.pays_at_property && quote.due_now > 0) {
    return refused(command, "conflict", { reason: "payment_due" });
  }
  const authorization = expectAuthorized(command, hold, stamp, ledger);
  if (authorization && "events" in authorization) return authorization;
  const used = authorization ? ["authorization.consumed"] : [];
  if (quote.due_now === 0) {
    const apply = (row: Row) => {
      book(row, hold, null, command.traveler.hash, ledger);
      consume(row, authorization, null);
    };
    const events = ["booking.confirmed", ...used];
    return succeeded(command, "booking", { events, has: ids, apply });
  }
  return {
    phase: "running",
    replays: null,
    events: ["payment.pending", ...used],
    key: keyOf(command),
    apply: (row) => {
      const { payment_id, amount, booking_id, currency } = dataOf(row, "payment.pending");
      same([amount, currency], [quote.due_now, quote.currency], "amount of the payment");
      check(!ledger.payments.has(payment_id), `payment id ${payment_id} was given twice`);
      const { tenant_id, mode, agent_id } = hold;
      const payment: ModelPayment = {
        ...{ id: payment_id, hold, tenant_id, mode, agent_id, bookingId: booking_id, amount },
        traveler: command.traveler.hash,
        createdAt: stamp,
        key: keyOf(command)!,
        state: "pending",
        isReferenced: false,
        refunded: 0,
        dispute: null,
      };
      ledger.payments.set(payment_id, payment);
      hold.state = "confirming";
      hold.payment = payment;
      consume(row, authorization, payment);
    },
  };
}

/** What a token that does not fit the agent or the hold, or has run out, is answered with. */
function expectUncovered(
  command: BeginBooking | CancelBooking,
  holdId: string | null,
): Expected | null {
  const { claims, is_expired } = command.consent;
  for (const name of ["azp", "client_id"] as const) {
    if ((claims[name] ?? command.actor.id) !== command.actor.id) return unmet(command, name);
  }
  if (holdId && (claims.hold_id ?? holdId) !== holdId) return unmet(command, "hold_id");
  return is_expired ? refused(command, "delegation_invalid", { reason: "expired" }) : null;
}

function unmet(command: BeginBooking | CancelBooking, claim: string): Expected {
  return refused(command, "delegation_invalid", { reason: "audience_mismatch", claim });
}

/** The only way a booking comes to be: once per hold, under a code nobody else has. */
function book(
  row: Row,
  hold: ModelHold,
  payment: ModelPayment | null,
  traveler: string,
  ledger: ModelLedger,
): void {
  const { booking_id, confirmation_code, payment_id, due_now } = dataOf(row, "booking.confirmed");
  same(payment_id, payment?.id ?? null, "payment of the booking");
  same(due_now, payment?.amount ?? 0, "captured amount of the booking");
  check(!ledger.bookings.has(booking_id), `booking id ${booking_id} was given twice`);
  check(hold.booking === null, `hold ${hold.id} was booked twice`);
  const { tenant_id, mode, agent_id, quote } = hold;
  for (const other of ledger.bookings.values()) {
    const isTaken = other.tenant_id === tenant_id && other.code === confirmation_code;
    check(!isTaken, `confirmation code ${confirmation_code} was given twice`);
  }
  const booking = {
    ...{ id: booking_id, code: confirmation_code, tenant_id, mode, agent_id, quote, payment },
    holdId: hold.id,
    traveler,
    stay: quote.stay,
    state: "confirmed" as const,
    refundId: null,
    version: 1,
  };
  ledger.bookings.set(booking_id, booking);
  ledger.end(hold, "consumed", row.stamp);
  hold.booking = booking;
}

/** A provider's verdict, or the lack of one, after the reference where it tells that. */
export function expectPaymentResult(
  command: RecordPaymentResult,
  stamp: number,
  ledger: ModelLedger,
): Expected {
  const payment = ledger.payments.get(command.payment_id);
  if (!payment || (payment.state !== "pending" && payment.state !== "unknown")) return noted(false);
  const verdict = expectVerdict(command, payment, stamp, ledger);
  const isTold = command.provider_ref !== undefined && !payment.isReferenced;
  if (!isTold || verdict.events.length === 0) return verdict;
  const apply = (row: Row) => {
    payment.isReferenced = true;
    verdict.apply?.(row);
  };
  return { ...verdict, events: ["payment.referenced", ...verdict.events], apply };
}

function expectVerdict(
  command: RecordPaymentResult,
  payment: ModelPayment,
  stamp: number,
  ledger: ModelLedger,
): Expected {
  const { hold } = payment;
  const isWaiting = hold.state === "confirming" && hold.payment === payment;
  if (command.result === "unknown") {
    if (payment.state === "unknown") return noted(false);
    return noted(true, ["payment.unknown"], () => {
      payment.state = "unknown";
    });
  }
  if (command.result === "captured") {
    return isWaiting ? captured(payment, ledger) : capturedTooLate(payment, ledger);
  }
  const returned = returnedBy(payment, stamp, ledger);
  const failed = ["payment.failed", ...(returned ? ["authorization.returned"] : [])];
  const fail = (row: Row) => {
    payment.state = "failed";
    if (!returned) return;
    const { authorization_id } = dataOf(row, "authorization.returned");
    same(authorization_id, returned.id, "the authorization that is given back");
    returned.state = "approved";
    returned.usedBy = null;
  };
  if (!isWaiting) return noted(true, failed, fail);
  const isDue = stamp >= hold.expiresAt;
  const isError = command.result === "provider_error";
  return {
    phase: isError ? "open" : "sealed",
    code: isError ? "payment_provider_error" : "payment_failed",
    has: { hold_id: hold.id, payment_id: payment.id },
    events: isDue ? [...failed, "hold.expired"] : failed,
    key: payment.key,
    apply: (row) => {
      fail(row);
      if (isDue) ledger.end(hold, "expired", stamp);
      else hold.state = "held";
    },
  };
}

function captured(payment: ModelPayment, ledger: ModelLedger): Expected {
  return {
    phase: "sealed",
    kind: "booking",
    has: { booking_id: payment.bookingId, hold_id: payment.hold.id },
    events: ["payment.captured", "booking.confirmed"],
    key: payment.key,
    apply: (row) => {
      same(dataOf(row, "payment.captured").amount, payment.amount, "captured amount");
      payment.state = "captured";
      book(row, payment.hold, payment, payment.traveler, ledger);
    },
  };
}

function capturedTooLate(payment: ModelPayment, ledger: ModelLedger): Expected {
  return noted(true, ["payment.captured", "refund.requested"], (row) => {
    payment.state = "captured";
    same(dataOf(row, "refund.requested").amount, payment.amount, "refund of a late capture");
    askRefund(row, payment, ledger);
  });
}

/** What of a payment is refunded, waits to be, is withheld by a dispute, and remains. */
export function refundedOf(payment: ModelPayment, ledger: ModelLedger) {
  const sums = { refunded: 0, pending: 0 };
  for (const refund of ledger.refunds.values()) {
    if (refund.payment !== payment || refund.state === "failed") continue;
    sums[refund.state === "succeeded" ? "refunded" : "pending"] += refund.amount;
  }
  const spent = sums.refunded + sums.pending;
  const rest = payment.amount - spent;
  const isDisputed = payment.dispute !== null && payment.dispute.state !== "won";
  const disputed = isDisputed ? rest : 0;
  return { ...sums, spent, disputed, remaining: rest - disputed };
}

/** The state of a payment by what of it is refunded. */
export function stateAfter({ refunded, amount }: ModelPayment): ModelPayment["state"] {
  if (refunded === amount) return "refunded";
  return refunded > 0 ? "partially_refunded" : "captured";
}

/** Notes a requested refund; all refunds together never exceed the capture. */
export function askRefund(row: Row, payment: ModelPayment, ledger: ModelLedger): string {
  const { refund_id, amount, reason, retry_of } = dataOf(row, "refund.requested");
  check(!ledger.refunds.has(refund_id), `refund id ${refund_id} was given twice`);
  const { tenant_id, mode, agent_id } = payment;
  ledger.refunds.set(refund_id, {
    ...{ id: refund_id, payment, amount, reason, tenant_id, mode, agent_id },
    isRetry: retry_of !== undefined,
    createdAt: row.stamp,
    // A late capture is refunded by a worker's row, which has no key; work on an oversell incident
    // does not wait.
    waiting: row.phase === "running" ? row.key : null,
    state: "pending",
    retriedBy: null,
    isElsewhere: false,
  });
  const sum = refundedOf(payment, ledger).spent;
  check(sum <= payment.amount, () => `payment ${payment.id}: ${sum} of ${payment.amount} refunded`);
  return refund_id;
}

/** The provider's reference counts once and only while the payment is open. */
export function expectReference(command: RecordPaymentReference, ledger: ModelLedger): Expected {
  const payment = ledger.payments.get(command.payment_id);
  const isOpen = payment?.state === "pending" || payment?.state === "unknown";
  if (!payment || !isOpen || payment.isReferenced) return noted(false);
  return noted(true, ["payment.referenced"], () => {
    payment.isReferenced = true;
  });
}

/** The fee of the frozen terms at an instant. */
export function feeAt(fees: FeeTable, at: number): number {
  if (at >= fees.anchor_ms) return fees.no_show;
  return fees.tiers.find((tier) => at < tier.until_ms)?.fee ?? fees.after;
}

/** `POST /v1/bookings/{id}/cancel`: with the traveler's consent. */
export function expectCancel(command: CancelBooking, stamp: number, ledger: ModelLedger): Expected {
  const uncovered = expectUncovered(command, null);
  if (uncovered) return uncovered;
  const booking = ledger.bookings.get(command.booking_id);
  const ids = { booking_id: command.booking_id };
  if (!booking || isForeign(command, booking)) return refused(command, "booking_not_found", ids);
  if (booking.traveler !== command.traveler.hash) {
    return refused(command, "resource_access_denied", { ...ids, reason: "traveler_mismatch" });
  }
  const { hold_id = booking.holdId } = command.consent.claims;
  if (hold_id !== booking.holdId) return unmet(command, "hold_id");
  return expectCancelled(command, booking, feeAt(booking.quote.fees, stamp), ledger);
}

/** Whoever cancels: what is kept and all refunds are what was paid. */
export function expectCancelled(
  command: CommandMeta,
  booking: ModelBooking,
  fee: number,
  ledger: ModelLedger,
): Expected {
  const ids = { booking_id: booking.id };
  if (booking.state !== "confirmed") {
    const has = { ...ids, state: booking.state, refund_id: booking.refundId };
    return refused(command, "booking_not_cancellable", has);
  }
  const end = { event: "booking.cancelled", kind: "cancellation", state: "cancelled" } as const;
  return expectEnd(command, booking, { ...end, fee }, ledger);
}

/** An end of a booking that keeps a fee and gives the rest back. */
export function expectEnd(
  command: CommandMeta,
  booking: ModelBooking,
  end: {
    readonly event: "booking.cancelled" | "booking.no_show";
    readonly kind: string;
    readonly state: BookingState;
    readonly fee: number;
    readonly apply?: (row: Row) => void;
  },
  ledger: ModelLedger,
): Expected {
  const { quote, payment } = booking;
  const { event, kind, state, fee } = end;
  const { remaining, disputed } = payment
    ? refundedOf(payment, ledger)
    : { remaining: 0, disputed: 0 };
  const amount = Math.min(quote.due_now - fee, remaining);
  const before = Math.max(0, quote.due_now - remaining - disputed);
  const isWithheld = quote.due_now > fee && disputed > 0;
  const apply = (row: Row) => {
    const told = dataOf(row, event);
    same([told.fee, told.refund], [fee, amount], "fee and refund");
    same(told.refunded_before ?? 0, before, "refunded before");
    same(told.withheld, isWithheld ? "dispute" : undefined, "withheld");
    booking.state = state;
    booking.version += 1;
    end.apply?.(row);
  };
  if (amount === 0 || !payment) {
    return succeeded(command, kind, {
      events: [event],
      has: {
        booking_id: booking.id,
        fee: { amount: fee, currency: quote.currency },
        refund: null,
      },
      apply,
    });
  }
  return {
    phase: "running",
    replays: null,
    events: [event, "refund.requested"],
    key: keyOf(command),
    apply: (row) => {
      same(dataOf(row, "refund.requested").amount, amount, "requested refund");
      booking.refundId = askRefund(row, payment, ledger);
      apply(row);
    },
  };
}

/** The provider's verdict on a refund; the call that waits for it is answered. */
export function expectRefundResult(command: RecordRefundResult, ledger: ModelLedger): Expected {
  const refund = ledger.refunds.get(command.refund_id);
  if (!refund) return noted(false);
  const isDone = command.result === "succeeded";
  const failsLate = refund.state === "succeeded" && !isDone && !refund.isElsewhere;
  if (refund.state !== "pending" && !failsLate) return noted(false);
  const { id, payment, waiting, amount, reason, isRetry } = refund;
  const events = [isDone ? "refund.succeeded" : "refund.failed"];
  const apply = () => {
    refund.state = command.result;
    refund.waiting = null;
    if (failsLate) payment.refunded -= amount;
    if (isDone) payment.refunded += amount;
    if (failsLate || isDone) payment.state = stateAfter(payment);
  };
  if (!waiting) return noted(true, events, apply);
  const told = { refund_id: id, amount, state: command.result };
  const isEnd =
    !isRetry && (reason === "cancellation" || reason === "no_show" || reason === "modification");
  const kind = isEnd ? reason : "refund";
  const has = isEnd ? { refund: told } : told;
  return { phase: "sealed", kind, has, events, key: waiting, apply };
}
