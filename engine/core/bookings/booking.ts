/**
 * Booking, first half of the saga: the hold becomes `confirming`, its time stops, and a
 * payment waits for the provider. When nothing is due, begin and confirmation are one row. A
 * booking exists from the row that confirms it.
 */
import { assert } from "../assert.ts";
import type { AgentLimits, BeginBooking } from "../commands.ts";
import { amountProblem, consentProblem } from "../consent.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { EventOf } from "../events/event.ts";
import { holdOf, holdProblem, requoteHint } from "../holds/hold.ts";
import { assertOpen } from "../holds/invariants.ts";
import { confirmationCode, deriveId } from "../ids.ts";
import type { Rejection } from "../outcomes.ts";
import type { FrozenQuote } from "../price/quote.ts";
import { recorded } from "../record-damage.ts";
import type { Hold } from "../records.ts";
import { codeOf } from "../state/open-payments.ts";
import { confirmBooking } from "./confirm.ts";

const CODE_TRIES_MAX = 64;

/** Decides `POST /v1/bookings` up to the provider call. The order of refusals is published. */
export function beginBooking(command: BeginBooking, ctx: Context): Decision {
  const { consent, hold_id } = command;
  const uncovered = consentProblem(consent, { agent_id: command.actor.id, hold_id });
  if (uncovered) return reject(command, uncovered);
  const hold = holdOf(command, ctx);
  if ("code" in hold) return reject(command, hold);
  const problem =
    amountProblem(consent, hold.quote.total) ??
    holdProblem(hold, ctx) ??
    quoteMismatch(command, hold, ctx);
  if (problem) return reject(command, problem);
  const unauthorized = authorizationProblem(command, hold, ctx);
  if (unauthorized) return reject(command, unauthorized);

  const { payments, runningKeys } = ctx.state;
  assertOpen(hold, ctx.state);
  assert(hold.payment_id === null || !payments.has(hold.payment_id), "a held hold waits for none");
  assert(!command.key || !runningKeys.has(command.key), "a key that runs is not decided again");
  const bookingId = deriveId("bkg", ctx.stamp, command.random, 1);
  const code = uniqueCode(command, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { wrapped_key, guest } = command;
  const subjectKey = { booking_id: bookingId, wrapped_key, ...(guest && { guest }) };
  if (hold.quote.due_now === 0) {
    const outcome = confirmBooking(
      { command, hold, bookingId, code, payment: null, traveler: command.traveler },
      ctx,
      events,
      { traveler: command.traveler, encrypted: command.encrypted },
    );
    return { events: events.list, outcome, phase: "sealed", subjectKey };
  }
  const pending = pendingPayment(command, hold, { bookingId, code }, ctx);
  events.add(pending);
  const data = { payment_id: pending.data.payment_id, hold_id: hold.hold_id };
  return {
    events: events.list,
    outcome: success(command, "internal", data),
    phase: "running",
    subjectKey,
  };
}

function quoteMismatch(command: BeginBooking, hold: Hold, ctx: Context): Rejection | null {
  if (hold.quote.quote_id === command.quote_id) return null;
  return {
    code: "quote_mismatch",
    detail: { hold_id: hold.hold_id, quote_id: command.quote_id },
    hints: { ...requoteHint(hold.quote, ctx), hold_id: hold.hold_id },
  };
}

/**
 * Checks `max_booking_amount` of the calling agent. This version cannot create
 * authorizations, so the id of one never matches.
 */
function authorizationProblem(command: BeginBooking, hold: Hold, ctx: Context): Rejection | null {
  const limit = command.limits.max_booking_amount;
  const { total, currency } = hold.quote;
  const within = limit === null || (limit.currency === currency && total <= limit.amount);
  if (within && command.authorization_id === undefined) return null;
  const hints = {
    ...requoteHint(hold.quote, ctx),
    quote_id: hold.quote.quote_id,
    ...(!within && { max_price_per_night: affordableNight(hold.quote, limit) }),
  };
  const ids = { hold_id: hold.hold_id };
  if (!within && command.authorization_id === undefined) {
    return {
      code: "authorization_required",
      detail: { policy: "max_booking_amount", threshold: limit, amount: total, currency, ...ids },
      hints,
    };
  }
  const detail = { reason: "unknown", authorization_id: command.authorization_id, ...ids };
  return { code: "booking_authorization_invalid", detail, hints };
}

/** The highest price of a night, before taxes and fees, within the limit; by the quote's ratio. */
function affordableNight(
  { room_subtotal, total, nightly, currency }: FrozenQuote,
  limit: NonNullable<AgentLimits["max_booking_amount"]>,
) {
  const share = currency === limit.currency && total > 0 ? Math.min(1, room_subtotal / total) : 1;
  const amount = Math.floor((limit.amount * share) / nightly.length);
  return { amount, currency: limit.currency };
}

function uniqueCode(command: BeginBooking, ctx: Context): string {
  for (let counter = 0; counter < CODE_TRIES_MAX; counter += 1) {
    const code = confirmationCode(command.random, counter);
    if (!isCodeTaken(command.tenant_id, code, ctx)) return code;
  }
  throw new Error("no free confirmation code after 64 tries");
}

/** Looks among bookings and payments in progress. */
function isCodeTaken(tenantId: string, code: string, ctx: Context): boolean {
  const asPaid = codeOf({ tenant_id: tenantId, confirmation_code: code });
  return ctx.state.openCodes.has(asPaid) || ctx.records.isCodeTaken(tenantId, code);
}

function pendingPayment(
  command: BeginBooking,
  hold: Hold,
  ids: { readonly bookingId: string; readonly code: string },
  ctx: Context,
): Omit<EventOf<"payment.pending">, "seq"> {
  const { payment_id } = hold;
  const earlier = payment_id && recorded(ctx.records.payment(payment_id), "payment", payment_id);
  return {
    type: "payment.pending",
    data: {
      payment_id: deriveId("pay", ctx.stamp, command.random, 2),
      hold_id: hold.hold_id,
      booking_id: ids.bookingId,
      attempt: (earlier ? earlier.attempt : 0) + 1,
      amount: hold.quote.due_now,
      currency: hold.quote.currency,
      method: command.method,
      jti: command.consent.jti ?? null,
    },
    secret: {
      key: command.key ?? "",
      body_hash: command.body_hash ?? "",
      docs: command.docs,
      confirmation_code: ids.code,
      traveler: command.traveler,
      encrypted: command.encrypted,
    },
  };
}
