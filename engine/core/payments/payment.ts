/**
 * Results of the payment provider. Each result and all its consequences are ONE row: a
 * capture confirms the booking and seals the key's 201; a definitive refusal frees the hold and
 * seals a 402; an error within the request's time leaves the key open for another attempt. A result
 * for a settled payment changes nothing.
 */

import { assert } from "../assert.ts";
import { addReturned } from "../authorizations/use.ts";
import { confirmBooking } from "../bookings/confirm.ts";
import { instantIso } from "../calendar.ts";
import type { RecordPaymentReference, RecordPaymentResult } from "../commands.ts";
import { type Context, type Decision, EventList, refusal, success } from "../decision.ts";
import type { EventOf, KeyRef, Row } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import { assertOpen, assertWaitsFor } from "../holds/invariants.ts";
import { deriveId } from "../ids.ts";
import type { Hold, Payment, RecordSink } from "../records.ts";
import { indexPayment, removePayment } from "../state/open-payments.ts";
import type { State } from "../state/state.ts";

/** How long an unanswered payment keeps its units. */
export const OUTCOME_UNKNOWN_AFTER_MS = 24 * 3_600_000;

function settled(command: RecordPaymentResult | RecordPaymentReference): Decision {
  const data = { payment_id: command.payment_id, changed: false };
  return { events: [], outcome: success(command, "internal", data), phase: "transient" };
}

/** Journals the provider's reference before any money can move. */
export function recordPaymentReference(command: RecordPaymentReference, ctx: Context): Decision {
  const payment = ctx.state.payments.get(command.payment_id);
  if (!payment || payment.provider_ref !== null) return settled(command);
  return changed(command, payment, eventsOf(payment, command, ctx));
}

/** Decides the consequences of a provider's verdict, or of the lack of one. */
export function recordPaymentResult(command: RecordPaymentResult, ctx: Context): Decision {
  const payment = ctx.state.payments.get(command.payment_id);
  if (!payment) return settled(command);
  const isOpen = payment.state === "pending" || payment.state === "unknown";
  assert(isOpen && payment.refunded === 0, "a payment in memory has no verdict yet");
  const hold = ctx.state.holds.get(payment.hold_id);
  const isWaiting = hold?.state === "confirming" && hold.payment_id === payment.payment_id;
  switch (command.result) {
    case "captured":
      return isWaiting
        ? captured(command, payment, hold, ctx)
        : capturedTooLate(command, payment, ctx);
    case "declined":
    case "cancelled":
    case "provider_error":
      return isWaiting
        ? notTaken(command, payment, hold, ctx)
        : failedAfterAnswer(command, payment, ctx);
    case "unknown":
      return payment.state === "unknown" ? settled(command) : stillUnknown(command, payment, ctx);
  }
}

/** The events of a command about a payment, beginning with the reference if it is new. */
function eventsOf(
  { payment_id, hold_id, tenant_id, mode, provider_ref: known }: Payment,
  { provider_ref }: Pick<RecordPaymentResult, "provider_ref">,
  ctx: Context,
): EventList {
  const events = new EventList(ctx.state, tenant_id, mode);
  if (known !== null || provider_ref === undefined) return events;
  events.add({ type: "payment.referenced", data: { payment_id, hold_id, provider_ref } });
  return events;
}

function changed(
  command: RecordPaymentResult | RecordPaymentReference,
  payment: Payment,
  events: EventList,
): Decision {
  const data = { payment_id: payment.payment_id, changed: true };
  return { events: events.list, outcome: success(command, "internal", data), phase: "transient" };
}

function keyOf(payment: Payment): KeyRef {
  // The sender of the booking: an operator may book an agent's hold.
  return { key: payment.key, body_hash: payment.body_hash, agent_id: payment.actor.id };
}

function addCaptured(payment: Payment, events: EventList): void {
  const { payment_id, hold_id, booking_id, amount, currency } = payment;
  events.add({
    type: "payment.captured",
    data: { payment_id, hold_id, booking_id, amount, currency },
  });
}

function captured(
  command: RecordPaymentResult,
  payment: Payment,
  hold: Hold,
  ctx: Context,
): Decision {
  const events = eventsOf(payment, command, ctx);
  addCaptured(payment, events);
  const outcome = confirmBooking(
    {
      command: payment,
      hold,
      bookingId: payment.booking_id,
      code: payment.confirmation_code,
      payment,
      traveler: payment.traveler,
    },
    ctx,
    events,
  );
  return { events: events.list, outcome, phase: "sealed", key: keyOf(payment) };
}

/** The hold has ended: the payment is refunded (late success). */
function capturedTooLate(command: RecordPaymentResult, payment: Payment, ctx: Context): Decision {
  const events = eventsOf(payment, command, ctx);
  addCaptured(payment, events);
  events.add({
    type: "refund.requested",
    data: {
      refund_id: deriveId("rfd", ctx.stamp, command.random, 3),
      payment_id: payment.payment_id,
      booking_id: null,
      property_id: payment.property_id,
      amount: payment.amount,
      currency: payment.currency,
      reason: "late_capture",
    },
  });
  return changed(command, payment, events);
}

function addFailed(
  command: RecordPaymentResult,
  payment: Payment,
  hold: Hold | undefined,
  ctx: Context,
): EventList {
  const events = eventsOf(payment, command, ctx);
  const isExpired = hold === undefined || ctx.now >= hold.expires_at;
  events.add({
    type: "payment.failed",
    data: {
      payment_id: payment.payment_id,
      hold_id: payment.hold_id,
      provider_code: command.provider_code ?? null,
      hold_state: isExpired ? "expired" : "held",
    },
  });
  addReturned(payment, ctx, events);
  if (hold && isExpired) {
    events.add({
      type: "hold.expired",
      data: { hold_id: hold.hold_id, expired_at: instantIso(ctx.now) },
    });
  }
  return events;
}

/**
 * No money was taken and the hold is freed. A refusal is final for its key (402, sealed); after a
 * provider error the same key may start another attempt (502, open).
 */
function notTaken(
  command: RecordPaymentResult,
  payment: Payment,
  hold: Hold,
  ctx: Context,
): Decision {
  assertWaitsFor(hold, payment);
  assertOpen(hold, ctx.state);
  const events = addFailed(command, payment, hold, ctx);
  const isRefused = command.result !== "provider_error";
  const detail = {
    hold_id: hold.hold_id,
    payment_id: payment.payment_id,
    provider_code: command.provider_code ?? null,
  };
  const hints = { hold_id: hold.hold_id, quote_id: hold.quote.quote_id };
  const provider_message = command.provider_message ?? "The payment was not taken.";
  const outcome = isRefused
    ? refusal(payment, { code: "payment_failed", detail: { ...detail, provider_message }, hints })
    : refusal(payment, { code: "payment_provider_error", detail, retry_after: 2, hints });
  const phase = isRefused ? "sealed" : "open";
  return { events: events.list, outcome, phase, key: keyOf(payment) };
}

/** A refusal after the 24 h rule has answered the key: only the payment's state changes. */
function failedAfterAnswer(command: RecordPaymentResult, payment: Payment, ctx: Context): Decision {
  return changed(command, payment, addFailed(command, payment, undefined, ctx));
}

function stillUnknown(command: RecordPaymentResult, payment: Payment, ctx: Context): Decision {
  const events = eventsOf(payment, command, ctx);
  events.add({
    type: "payment.unknown",
    data: { payment_id: payment.payment_id, hold_id: payment.hold_id },
  });
  return changed(command, payment, events);
}

/**
 * After 24 h without a verdict the units are freed and the key is answered 402; the payment stays
 * `unknown`, and a capture found later is refunded.
 */
export function giveUpWaiting(payment: Payment, hold: Hold, ctx: Context): Decision {
  assertWaitsFor(hold, payment);
  assertOpen(hold, ctx.state);
  const events = eventsOf(payment, {}, ctx);
  events.add({
    type: "payment.outcome_unknown",
    data: { payment_id: payment.payment_id, hold_id: hold.hold_id },
  });
  events.add({
    type: "hold.expired",
    data: { hold_id: hold.hold_id, expired_at: instantIso(ctx.now) },
  });
  const outcome = refusal(payment, {
    code: "payment_failed",
    detail: {
      reason: "outcome_unknown",
      hold_id: hold.hold_id,
      payment_id: payment.payment_id,
      provider_message: "The provider gave no verdict within 24 hours.",
    },
    hints: { hold_id: hold.hold_id, quote_id: hold.quote.quote_id },
  });
  return { events: events.list, outcome, phase: "sealed", key: keyOf(payment) };
}

/** Adds the row to the hold's rows. */
function touchHold(hold: Hold, row: Row): void {
  if (hold.rows.at(-1) !== row.row) hold.rows.push(row.row);
}

/** The hold becomes `confirming`: its time stops until the payment has a verdict. */
function paymentPending(
  state: State,
  event: EventOf<"payment.pending">,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data, secret } = event;
  const hold = state.holds.get(data.hold_id)!;
  hold.state = "confirming";
  hold.payment_id = data.payment_id;
  touchHold(hold, row);
  const payment: Payment = {
    payment_id: data.payment_id,
    hold_id: hold.hold_id,
    booking_id: data.booking_id,
    property_id: hold.quote.property_id,
    tenant_id: hold.tenant_id,
    mode: hold.mode,
    agent_id: hold.agent_id,
    state: "pending",
    amount: data.amount,
    currency: data.currency,
    attempt: data.attempt,
    provider_ref: null,
    provider_code: null,
    refunded: 0,
    created_at: row.stamp,
    updated_at: row.stamp,
    key: secret.key,
    body_hash: secret.body_hash,
    trace_id: row.trace_id,
    docs: secret.docs,
    actor: row.actor,
    method: data.method,
    ...(data.authorization && { authorization: data.authorization }),
    confirmation_code: secret.confirmation_code,
    traveler: secret.traveler,
    encrypted: secret.encrypted,
  };
  indexPayment(state, payment);
  state.runningKeys.set(payment.key, payment.payment_id);
  sink?.putPayment(payment);
}

/** The confirmation or the refund follows in the same row. */
function paymentCaptured(
  state: State,
  event: EventOf<"payment.captured">,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "captured";
  payment.updated_at = row.stamp;
  removePayment(state, payment);
  sink?.putPayment(payment);
}

/** A definitive refusal: the hold is held again, or expires by the next event. */
function paymentFailed(
  state: State,
  event: EventOf<"payment.failed">,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "failed";
  payment.provider_code = event.data.provider_code;
  payment.updated_at = row.stamp;
  removePayment(state, payment);
  sink?.putPayment(payment);
  const hold = state.holds.get(event.data.hold_id);
  if (!hold || hold.payment_id !== payment.payment_id) return;
  touchHold(hold, row);
  if (event.data.hold_state === "expired") return;
  hold.state = "held";
  state.holds.noteExpiry(hold);
}

/** No verdict yet. After 24 h the key stops waiting; the payment does not. */
function paymentUnknown(
  state: State,
  event: EventOf<"payment.unknown" | "payment.outcome_unknown">,
  row: Row,
  sink: RecordSink | null,
): void {
  const payment = state.payments.get(event.data.payment_id)!;
  payment.state = "unknown";
  payment.updated_at = row.stamp;
  if (event.type === "payment.outcome_unknown") state.runningKeys.delete(payment.key);
  sink?.putPayment(payment);
  const hold = state.holds.get(event.data.hold_id);
  if (hold) touchHold(hold, row);
}

/** The provider's reference, by which its charge is found. */
const paymentReferenced: Fold<"payment.referenced"> = (state, { data }, row, sink) => {
  const payment = state.payments.get(data.payment_id)!;
  payment.provider_ref = data.provider_ref;
  payment.updated_at = row.stamp;
  sink?.putPayment(payment);
};

/** Open payments are in memory, where the engine needs them, and in the projections. */
export const PAYMENT_FOLDS = {
  "payment.pending": paymentPending,
  "payment.referenced": paymentReferenced,
  "payment.captured": paymentCaptured,
  "payment.failed": paymentFailed,
  "payment.unknown": paymentUnknown,
  "payment.outcome_unknown": paymentUnknown,
} satisfies Partial<Folds>;
