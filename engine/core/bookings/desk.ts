/**
 * Desk calls on a guest: check-in and its undo, no-show, departure. The times at which each is
 * allowed follow from the stay's dates in the property's time zone, so that a night that a guest
 * has paid for and may still use is not sold again.
 */
import { assert } from "../assert.ts";
import { dateOf, dayOf, dayStart, instantIso } from "../calendar.ts";
import type {
  CheckInGuest,
  CommandMeta,
  CompleteStay,
  RecordNoShow,
  UndoCheckIn,
} from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { timeOf } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import type { Rejection } from "../outcomes.ts";
import type { Booking, BookingState } from "../records.ts";
import { bookingOf } from "./cancel.ts";
import { CHANGES_MAX, changeBooking, freeUnits } from "./changes.ts";
import { dayEnd, todayOf, zoneOf } from "./property-days.ts";
import { addRefund, afterEarlier, ofBooking, pendingRefund, refundAfter } from "./refunds.ts";

/** Decides `…/check-in`: allowed from the first minute of the check-in day. */
export function checkInGuest(command: CheckInGuest, ctx: Context): Decision {
  const booking = bookingIn("confirmed", command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { booking_id, property_id, quote } = booking;
  const firstDay = dayOf(quote.stay.check_in);
  const fromMs = dayStart(firstDay, zoneOf(booking, ctx));
  if (ctx.now < fromMs) return reject(command, tooEarly(booking, fromMs));
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({ type: "booking.checked_in", data: { booking_id, property_id } });
  const outcome = success(command, "checked_in", {
    booking_id,
    state: "checked_in",
    checked_in_at: instantIso(ctx.now),
    undo_until: instantIso(dayEnd(booking, ctx.now, ctx)),
  });
  return { events: events.list, outcome, phase: "sealed" };
}

/**
 * Decides `…/undo-check-in`: the guest is not there after all. Until the day of the check-in ends,
 * because then a night counts as slept. The booking is confirmed again, with its terms.
 */
export function undoCheckIn(command: UndoCheckIn, ctx: Context): Decision {
  const booking = bookingIn("checked_in", command, ctx);
  if ("code" in booking) return reject(command, booking);
  const arrival = booking.history.findLast(({ type }) => type === "booking.checked_in");
  assert(arrival !== undefined, "a guest in the house has checked in");
  const problem = undoProblem(booking, arrival.at, ctx);
  if (problem) return reject(command, problem);
  const { booking_id, property_id } = booking;
  const data = { booking_id, property_id, checked_in_at: instantIso(arrival.at) };
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({ type: "booking.check_in_undone", data });
  const outcome = success(command, "check_in_undone", {
    booking_id,
    state: "confirmed",
    undone_at: instantIso(ctx.now),
  });
  return { events: events.list, outcome, phase: "sealed" };
}

function undoProblem(booking: Booking, arrivedAt: number, ctx: Context): Rejection | null {
  const { booking_id, version } = booking;
  const untilMs = dayEnd(booking, arrivedAt, ctx);
  if (ctx.now >= untilMs) {
    const detail = { reason: "too_late", booking_id, until: instantIso(untilMs) };
    return { code: "conflict", detail };
  }
  if (version <= CHANGES_MAX) return null;
  return { code: "conflict", detail: { reason: "change_limit", booking_id, limit: CHANGES_MAX } };
}

/**
 * Decides `…/no-show`: allowed from check-in time, where the no-show row of the frozen terms
 * begins. The money is settled as for a cancellation.
 */
export function recordNoShow(command: RecordNoShow, ctx: Context): Decision {
  const booking = bookingIn("confirmed", command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { fees, currency, policy_hash } = booking.quote;
  if (ctx.now < fees.anchor_ms) return reject(command, tooEarly(booking, fees.anchor_ms));
  const { booking_id } = booking;
  const fee = fees.no_show;
  const back = refundAfter(fee, command, booking, ctx);
  const { refund, refund_id, refunded_before, withheld } = back;
  const before = {
    ...(refunded_before !== undefined && { refunded_before }),
    ...(withheld && { withheld }),
  };
  const freed = freedUnits(booking, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const data = { booking_id, ...freed, fee, refund, currency, refund_id, ...before };
  events.add({ type: "booking.no_show", data });
  const asked = { refund_id, amount: refund, reason: "no_show" } as const;
  const isWaiting = addRefund(command, ofBooking(booking), asked, ctx, events);
  const outcome = success(command, "no_show", {
    booking_id,
    state: "no_show",
    no_show_at: instantIso(ctx.now),
    fee: { amount: fee, currency },
    refund: pendingRefund(refund_id, refund),
    ...afterEarlier(back, booking),
    ...(withheld && { withheld }),
    policy: { hash: policy_hash },
    free_from: freed.free_from,
  });
  return { events: events.list, outcome, phase: isWaiting ? "running" : "sealed" };
}

/** Decides `…/complete`: the guest has left, on the day of departure, earlier or later. */
export function completeStay(command: CompleteStay, ctx: Context): Decision {
  const booking = bookingIn("checked_in", command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { booking_id } = booking;
  const freed = freedUnits(booking, ctx);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  events.add({ type: "booking.completed", data: { booking_id, ...freed } });
  const outcome = success(command, "completed", {
    booking_id,
    state: "completed",
    completed_at: instantIso(ctx.now),
    free_from: freed.free_from,
  });
  return { events: events.list, outcome, phase: "sealed" };
}

/** The booking that a command names, when it is in the needed state; else a refusal. */
function bookingIn(
  needed: BookingState,
  command: CommandMeta & { readonly booking_id: string },
  ctx: Context,
): Booking | Rejection {
  const booking = bookingOf(command, ctx);
  if ("code" in booking || booking.state === needed) return booking;
  const { booking_id, state } = booking;
  return { code: "conflict", detail: { reason: "booking_state", booking_id, state, needed } };
}

function tooEarly({ booking_id }: Booking, fromMs: number): Rejection {
  const detail = { reason: "too_early", booking_id, from: instantIso(fromMs) };
  return { code: "conflict", detail };
}

/** The units of the stay, and the first night to free: tonight's if it has not begun. */
function freedUnits(booking: Booking, ctx: Context) {
  const { property_id, agent_id, quote } = booking;
  const { room_type_id, rate_plan_id, stay } = quote;
  const today = todayOf(booking, ctx);
  const firstDay = Math.max(today, dayOf(stay.check_in));
  const free_from = firstDay < dayOf(stay.check_out) ? dateOf(firstDay) : null;
  return { property_id, room_type_id, rate_plan_id, stay, agent_id, free_from };
}

/** Frees the nights ahead; the booking has the fee and the refund. */
const guestMissing: Fold<"booking.no_show"> = (state, event, row, sink) => {
  freeUnits(state, event.data, row);
  const { fee, refund, refund_id, refunded_before, withheld, free_from } = event.data;
  changeBooking(event, "no_show", row, sink, (booking) => {
    const before = {
      ...(refunded_before !== undefined && { refunded_before }),
      ...(withheld && { withheld }),
    };
    booking.no_show = { at: timeOf(row), fee, refund, refund_id, ...before };
    if (free_from !== null) booking.free_from = free_from;
  });
};

/** Frees the unused nights. */
const guestLeft: Fold<"booking.completed"> = (state, event, row, sink) => {
  freeUnits(state, event.data, row);
  const { free_from } = event.data;
  changeBooking(event, "completed", row, sink, (booking) => {
    if (free_from !== null) booking.free_from = free_from;
  });
};

export const DESK_FOLDS = {
  "booking.checked_in": (_state, event, row, sink) => {
    changeBooking(event, "checked_in", row, sink, () => {});
  },
  "booking.check_in_undone": (_state, event, row, sink) => {
    changeBooking(event, "confirmed", row, sink, () => {});
  },
  "booking.no_show": guestMissing,
  "booking.completed": guestLeft,
} satisfies Partial<Folds>;
