/**
 * Confirmation of bookings with and without a payment: one `booking.confirmed` event with its
 * signed receipt, and the 201 that the key gets.
 */
import { assert } from "../assert.ts";
import type { Approval } from "../authorization-terms.ts";
import { addConsumed } from "../authorizations/use.ts";
import { instantIso } from "../calendar.ts";
import type { CommandMeta } from "../commands.ts";
import { type Context, type EventList, success } from "../decision.ts";
import { type EventOf, type Row, timeOf } from "../events/event.ts";
import type { Folds } from "../fold.ts";
import { assertOpen, assertWaitsFor } from "../holds/invariants.ts";
import { holdEnded } from "../holds/units.ts";
import type { Receipt, SuccessOf } from "../outcomes.ts";
import type { EncryptedFields, Traveler } from "../parties.ts";
import type { FrozenQuote } from "../price/quote.ts";
import type { Booking, Hold, Payment, RecordSink } from "../records.ts";
import type { State } from "../state/state.ts";

export interface Confirmation {
  /** Of the booking request: the answer has its trace id and docs base. */
  readonly command: Pick<CommandMeta, "trace_id" | "docs">;
  readonly hold: Hold;
  readonly bookingId: string;
  readonly code: string;
  readonly payment: Payment | null;
  /** Of a booking without a payment; else the payment has it. */
  readonly approval?: Approval | null;
  readonly traveler: Traveler;
}

/** The `booking_confirmed` receipt of a stay; `more` joins its subject. */
export function confirmationReceipt(
  { booking_id, confirmation_code }: Pick<Booking, "booking_id" | "confirmation_code">,
  quote: FrozenQuote,
  ctx: Context,
  more: Receipt["subject"] = {},
): Receipt {
  return ctx.sign("booking_confirmed", ctx.now, {
    ...{ booking_id, confirmation_code },
    property_id: quote.property_id,
    check_in: quote.stay.check_in,
    check_out: quote.stay.check_out,
    total: quote.total,
    captured: quote.due_now,
    currency: quote.currency,
    price_hash: quote.price_hash,
    policy_hash: quote.policy_hash,
    ...more,
  });
}

/** Adds `booking.confirmed` and returns the sealed 201. */
export function confirmBooking(
  confirmation: Confirmation,
  ctx: Context,
  events: EventList,
  secret?: { readonly traveler: Traveler; readonly encrypted: EncryptedFields },
): SuccessOf<"booking"> {
  const { hold, bookingId, code, payment } = confirmation;
  const { quote } = hold;
  const approval = payment?.authorization ?? confirmation.approval ?? null;
  if (payment) assertWaitsFor(hold, payment);
  else assert(hold.state === "held" && quote.due_now === 0, "only what is free needs no payment");
  assertOpen(hold, ctx.state);
  const ids = { booking_id: bookingId, confirmation_code: code };
  const receipt = confirmationReceipt(ids, quote, ctx);
  const seq = events.add({
    type: "booking.confirmed",
    data: {
      booking_id: bookingId,
      hold_id: hold.hold_id,
      payment_id: payment?.payment_id ?? null,
      confirmation_code: code,
      property_id: quote.property_id,
      room_type_id: quote.room_type_id,
      rate_plan_id: quote.rate_plan_id,
      stay: quote.stay,
      total: quote.total,
      due_now: quote.due_now,
      currency: quote.currency,
      receipt,
      ...(approval && { authorization: approval }),
    },
    ...(secret ? { secret } : {}),
  });
  // The row of the payment has consumed it already.
  if (!payment) {
    const used = { hold_id: hold.hold_id, booking_id: bookingId, payment_id: null };
    addConsumed(approval, used, events);
  }
  const made = success(confirmation.command, "booking", {
    booking_id: bookingId,
    confirmation_code: code,
    state: "confirmed",
    hold_id: hold.hold_id,
    quote,
    payment: payment && {
      payment_id: payment.payment_id,
      state: "captured",
      amount: payment.amount,
      currency: payment.currency,
    },
    traveler_iss: confirmation.traveler.iss,
    created_at: instantIso(ctx.now),
    version: 1,
    seq,
  });
  return { ...made, receipt };
}

/** Consumes the hold and creates the booking. */
function bookingConfirmed(
  state: State,
  event: EventOf<"booking.confirmed">,
  row: Row,
  sink: RecordSink | null,
): void {
  const { data } = event;
  const hold = state.holds.get(data.hold_id)!;
  hold.booking_id = data.booking_id;
  hold.payment_id = data.payment_id;
  holdEnded(state, hold, "consumed", row, sink);
  if (!sink) return;
  const payment = data.payment_id === null ? null : sink.payment(data.payment_id);
  const secret = event.secret ?? payment;
  assert(secret !== null, "a booking has a payment or a traveler of its own");
  const booking: Booking = {
    booking_id: data.booking_id,
    confirmation_code: data.confirmation_code,
    hold_id: hold.hold_id,
    tenant_id: hold.tenant_id,
    mode: hold.mode,
    agent_id: hold.agent_id,
    quote: hold.quote,
    property_id: data.property_id,
    state: "confirmed",
    version: 1,
    created_at: timeOf(row),
    payment_id: data.payment_id,
    ...(data.authorization && { authorization: data.authorization }),
    traveler: secret.traveler,
    encrypted: secret.encrypted,
    key: row.key?.key ?? "",
    cancellation: null,
    refund_ids: [],
    receipts: [data.receipt],
    history: [{ version: 1, at: timeOf(row), type: event.type }],
    rows: hold.rows.slice(),
  };
  sink.putBooking(booking);
}

export const CONFIRMATION_FOLDS = {
  "booking.confirmed": bookingConfirmed,
} satisfies Partial<Folds>;
