/**
 * Decisions that only the passing of time causes. Expiry is a journaled event, not a lazy read, so
 * a replay needs no clock.
 */
import { assert } from "../assert.ts";
import { sealWaiting } from "../bookings/refunds.ts";
import { baseDayAt, dateOf, instantIso } from "../calendar.ts";
import type { Command, ModifyBooking, PlaceHold, ResolveIncident } from "../commands.ts";
import { type Context, type Decision, EventList, success } from "../decision.ts";
import type { SuccessOf } from "../outcomes.ts";
import { withClosings } from "../oversell/closing.ts";
import { giveUpWaiting, OUTCOME_UNKNOWN_AFTER_MS } from "../payments/payment.ts";
import type { FrozenQuote } from "../price/quote.ts";
import { isIntact } from "../record-damage.ts";
import { type Hold, isDue } from "../records.ts";
import type { RefusalCode } from "../refusals.ts";
import type { Mode } from "../supply.ts";
import { openAuthorizations } from "./clock-fold.ts";
import { inRealm } from "./test-clock.ts";

/** How long an answer waits for its refund (the api waits 5 s). */
const REFUND_WAIT_MS = 4_500;
const DAY_MS = 86_400_000;
/**
 * A start further after the last row must be accepted by an operator: a machine may have been off
 * for a month.
 */
export const CLOCK_AHEAD_MAX_MS = 45 * DAY_MS;

export interface DueDecision {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly decision: Decision;
}

/** The outcome of a row without a caller. */
export function silent(base_date?: string): SuccessOf<"internal"> {
  return success({ trace_id: "" }, "internal", base_date === undefined ? {} : { base_date });
}

/**
 * The next hold to expire, or null. Drops entries of the heap that no longer match their hold
 * (released, extended, confirming, another clock).
 */
export function nextExpiry(ctx: Context): DueDecision | null {
  const { holds } = ctx.state;
  const { expiries } = holds;
  while (expiries && expiries.earliest <= ctx.stamp) {
    const hold = holds.at(expiries.pop()!);
    const own = hold && inRealm(ctx, hold);
    if (own && isDue(hold, own.now)) return expiryOf(hold, own);
  }
  return null;
}

/** The expiry of a due hold, in the context of its realm. */
export function expiryOf(hold: Hold, ctx: Context): DueDecision {
  assert(isDue(hold, ctx.now), "a hold expires when its time has come");
  const { tenant_id, mode } = hold;
  const events = new EventList(ctx.state, tenant_id, mode);
  events.add({
    type: "hold.expired",
    data: { hold_id: hold.hold_id, expired_at: instantIso(hold.expires_at) },
  });
  const closed = withClosings(events.list, hold, null, ctx);
  const decision: Decision = { events: closed, outcome: silent(), phase: "transient" };
  return { tenant_id, mode, decision };
}

/**
 * Due holds that concern a refused command, at most `countMax`: those on its nights, or the one
 * that it names. Other due holds wait for the tick.
 */
export function dueHoldsMet(
  command: Command,
  code: RefusalCode,
  ctx: Context,
  countMax: number,
): readonly Hold[] {
  switch (command.type) {
    case "PlaceHold":
    case "ModifyBooking":
    case "ResolveIncident": {
      const wanted = wantedBy(command);
      const isForUnits = code === "allocation_failed" || code === "allotment_exhausted";
      return wanted && isForUnits ? dueOnNights(wanted, ctx, countMax) : [];
    }
    case "ExtendHold":
    case "ReleaseHold":
    case "BeginBooking": {
      const named = ctx.state.holds.get(command.hold_id);
      return named && isDue(named, ctx.now) ? [named] : [];
    }
    default:
      return [];
  }
}

function wantedBy(command: PlaceHold | ModifyBooking | ResolveIncident) {
  if (command.type === "PlaceHold") return command.quote;
  return (command.type === "ModifyBooking" ? command : command.move)?.stay?.quote;
}

function dueOnNights(quote: FrozenQuote, { state, now }: Context, countMax: number): Hold[] {
  const found: Hold[] = [];
  const { check_in, check_out } = quote.stay;
  const room = state.property(quote, quote.property_id)?.rooms.get(quote.room_type_id);
  for (const hold of room ? state.holds.mayBeDue(room, now) : []) {
    if (!isDue(hold, now)) continue;
    const { stay } = hold.quote;
    if (stay.check_in >= check_out || stay.check_out <= check_in) continue;
    found.push(hold);
    if (found.length === countMax) break;
  }
  return found;
}

/**
 * The next cancellation or payment that has waited long enough, or null. Both are in waiting order,
 * so the first of each decides, and a tick costs only its due entries.
 */
export function nextGivenUp(ctx: Context): DueDecision | null {
  const { awaitingRefund, runningKeys, payments, holds } = ctx.state;
  const [awaited] = awaitingRefund.values();
  if (awaited && ctx.stamp - awaited.since >= REFUND_WAIT_MS) {
    const { tenant_id, mode } = awaited;
    return { tenant_id, mode, decision: sealWaiting(awaited, inRealm(ctx, awaited)) };
  }
  const [paymentId] = runningKeys.values();
  if (paymentId === undefined) return null;
  const payment = payments.get(paymentId);
  const hold = payment && holds.get(payment.hold_id);
  assert(hold !== undefined, "a key runs while a hold waits for its payment");
  if (ctx.stamp - payment!.created_at < OUTCOME_UNKNOWN_AFTER_MS) return null;
  const { tenant_id, mode } = payment!;
  const own = inRealm(ctx, hold);
  const decision = giveUpWaiting(payment!, hold, own);
  const events = withClosings(decision.events, hold, null, own);
  return { tenant_id, mode, decision: { ...decision, events } };
}

/**
 * The clock correction that an operator has accepted, as the first row after the start, or null:
 * time before the last row, or further after it than a start allows. It belongs to no tenant and
 * takes no seq.
 */
export function clockCorrection(ctx: Context): DueDecision | null {
  const { state, stamp, records } = ctx;
  const byMs = stamp - state.stamp;
  // A journal without a stamp says nothing about time.
  if (state.stamp === 0 || (byMs >= 0 && byMs <= CLOCK_AHEAD_MAX_MS)) return null;
  const data = { from: instantIso(state.stamp), to: instantIso(stamp) };
  const refund_ids = byMs < 0 ? records.pendingRefunds() : [];
  const secret = {
    // A damaged record keeps its instants and must not fail the start.
    refund_ids: refund_ids.filter((id) => isIntact("refund", id, records)),
    authorization_ids: byMs < 0 ? openAuthorizations(ctx) : [],
  };
  const decision: Decision = {
    events: [{ type: "clock.corrected", seq: 0, data, secret }],
    outcome: silent(),
    phase: "transient",
  };
  return { tenant_id: "", mode: "live", decision };
}

/** The window's move when a day has passed, or null. It belongs to no tenant and takes no seq. */
export function horizonMove(ctx: Context): DueDecision | null {
  const baseDay = baseDayAt(ctx.stamp);
  if (baseDay <= ctx.state.baseDay) return null;
  const decision: Decision = {
    events: [{ type: "horizon.advanced", seq: 0, data: { base_day: baseDay } }],
    outcome: silent(dateOf(baseDay)),
    phase: "transient",
  };
  return { tenant_id: "", mode: "live", decision };
}
