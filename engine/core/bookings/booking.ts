/**
 * Booking, first half of the saga: the hold becomes `confirming`, its time stops, and a
 * payment waits for the provider. When nothing is due, begin and confirmation are one row. A
 * booking exists from the row that confirms it.
 */
import { assert } from "../assert.ts";
import { type Approval, DEFAULT_POLICY, type Requirement } from "../authorization-terms.ts";
import { policyOf, requirementOf } from "../authorizations/policy.ts";
import { requireAuthorization } from "../authorizations/request.ts";
import { addConsumed, approvalOf, invalidReason } from "../authorizations/use.ts";
import type { BeginBooking } from "../commands.ts";
import { amountProblem, consentProblem } from "../consent.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import type { EventOf } from "../events/event.ts";
import { holdOf, holdProblem, requoteHint } from "../holds/hold.ts";
import { assertOpen } from "../holds/invariants.ts";
import { confirmationCode, deriveId } from "../ids.ts";
import type { Hints, Rejection } from "../outcomes.ts";
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
    quoteMismatch(command, hold, ctx) ??
    deskProblem(command, hold);
  if (problem) return reject(command, problem);
  const allowed = authorized(command, hold, ctx);
  return "events" in allowed ? allowed : begun(command, hold, allowed.approval, ctx);
}

/** The booking, or the payment that it waits for. */
function begun(
  command: BeginBooking,
  hold: Hold,
  approval: Approval | null,
  ctx: Context,
): Decision {
  const { payments, runningKeys } = ctx.state;
  assertOpen(hold, ctx.state);
  assert(hold.payment_id === null || !payments.has(hold.payment_id), "a held hold waits for none");
  assert(!command.key || !runningKeys.has(command.key), "a key that runs is not decided again");
  const bookingId = deriveId("bkg", ctx.now, command.random, 1);
  const code = uniqueCode(command, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const { wrapped_key, guest } = command;
  const subjectKey = { booking_id: bookingId, wrapped_key, ...(guest && { guest }) };
  if (hold.quote.due_now === 0) {
    const outcome = confirmBooking(
      { command, hold, bookingId, code, payment: null, approval, traveler: command.traveler },
      ctx,
      events,
      { traveler: command.traveler, encrypted: command.encrypted },
    );
    return { events: events.list, outcome, phase: "sealed", subjectKey };
  }
  const pending = pendingPayment(command, hold, { bookingId, code, approval }, ctx);
  events.add(pending);
  const { hold_id } = hold;
  const { payment_id } = pending.data;
  addConsumed(approval, { hold_id, booking_id: bookingId, payment_id }, events);
  const data = { payment_id, hold_id };
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
 * Why the property cannot book this hold by itself; null when it can. A hold of an agent is for the
 * agent's traveler, whose consent is needed.
 */
function deskProblem({ desk, actor }: BeginBooking, { agent_id, quote, hold_id }: Hold) {
  if (desk === undefined) return null;
  if (agent_id !== actor.id) {
    const detail = { reason: "hold_of_another", hold_id };
    return { code: "resource_access_denied", detail } as const;
  }
  const { due_now, currency } = quote;
  if (!desk.pays_at_property || due_now === 0) return null;
  const detail = { reason: "payment_due", hold_id, due_now, currency };
  return { code: "conflict", detail } as const;
}

/**
 * The authorization that the booking uses, null for none, or the refusal. One that is named is
 * checked and used even where none is needed: the caller says that it acts on it.
 */
function authorized(
  command: BeginBooking,
  hold: Hold,
  ctx: Context,
): { readonly approval: Approval | null } | Decision {
  const { authorization_id, limits } = command;
  const limit = limits.max_booking_amount;
  // The policy asks for a person's approval, and at the desk that person books.
  const policy = command.desk ? DEFAULT_POLICY : policyOf(command, ctx);
  const requirement = requirementOf(limit, policy, hold.quote, ctx.now);
  if (authorization_id === undefined) {
    if (requirement === null) return { approval: null };
    return requireAuthorization(command, hold, requirement, hintsFor(requirement, hold, ctx), ctx);
  }
  const found = ctx.records.authorization(authorization_id);
  const reason = invalidReason(found, command, hold, ctx.now);
  if (reason === null && found) return { approval: approvalOf(found) };
  const detail = { reason, authorization_id, hold_id: hold.hold_id };
  const hints = hintsFor(requirement, hold, ctx);
  return reject(command, { code: "booking_authorization_invalid", detail, hints });
}

/** To quote the same stay again, and the price below which no authorization is needed. */
function hintsFor(requirement: Requirement | null, { quote }: Hold, ctx: Context): Hints {
  const threshold = requirement?.threshold;
  return {
    ...requoteHint(quote, ctx),
    quote_id: quote.quote_id,
    ...(threshold && { max_price_per_night: affordableNight(quote, threshold) }),
  };
}

/** The highest price of a night, before taxes and fees, within the limit; by the quote's ratio. */
function affordableNight(
  { room_subtotal, total, nightly, currency }: FrozenQuote,
  limit: NonNullable<Requirement["threshold"]>,
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
  ids: { readonly bookingId: string; readonly code: string; readonly approval: Approval | null },
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
      ...(ids.approval && { authorization: ids.approval }),
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
