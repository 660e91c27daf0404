/**
 * Erasure of a guest (GDPR, article 17): the key that opens the guest's data of a booking is
 * deleted in the transaction of the row. The journal, audits and receipts stay as they are; what
 * they have of the guest cannot be read any more.
 */
import { instantIso } from "../calendar.ts";
import type { EraseGuest } from "../commands.ts";
import { type Context, type Decision, EventList, reject, success } from "../decision.ts";
import { timeOf } from "../events/event.ts";
import type { Fold, Folds } from "../fold.ts";
import type { Rejection } from "../outcomes.ts";
import { recorded } from "../record-damage.ts";
import type { Booking } from "../records.ts";
import { bookingOf } from "./cancel.ts";
import { changeBooking } from "./changes.ts";

/** Decides `POST /v1/admin/bookings/{id}/erase-guest`; what is erased already stays so. */
export function eraseGuest(command: EraseGuest, ctx: Context): Decision {
  const booking = bookingOf(command, ctx);
  if ("code" in booking) return reject(command, booking);
  const { booking_id, property_id, erased } = booking;
  if (erased) {
    const done = { booking_id, erased_at: instantIso(erased.at), seq: null };
    return { events: [], outcome: success(command, "guest_erased", done), phase: "sealed" };
  }
  const problem = needsGuest(booking, ctx);
  if (problem) return reject(command, problem);
  const events = new EventList(ctx.state, command.tenant_id, command.mode);
  const version = booking.version + 1;
  const seq = events.add({ type: "guest.erased", data: { booking_id, property_id, version } });
  const done = { booking_id, erased_at: instantIso(ctx.now), seq };
  return { events: events.list, outcome: success(command, "guest_erased", done), phase: "sealed" };
}

/** A stay to come needs its guest, and so does money that is not settled. */
function needsGuest({ booking_id, state, refund_ids }: Booking, ctx: Context): Rejection | null {
  if (state === "confirmed" || state === "checked_in") {
    const needed = "completed, cancelled or no_show";
    return { code: "conflict", detail: { reason: "booking_state", booking_id, state, needed } };
  }
  const open = refund_ids.find((id) => {
    const refund = recorded(ctx.records.refund(id), "refund", id);
    const isFailed = refund.state === "failed" && !refund.retried_by && !refund.elsewhere;
    return refund.state === "pending" || isFailed;
  });
  if (open === undefined) return null;
  return { code: "conflict", detail: { reason: "refund_open", booking_id, refund_id: open } };
}

const erased: Fold<"guest.erased"> = (_state, event, row, sink) => {
  changeBooking(event, null, row, sink, (booking) => {
    booking.encrypted = {};
    booking.erased = { by: row.actor, at: timeOf(row) };
  });
  sink?.eraseSubjectKey(event.data.booking_id);
};

export const ERASURE_FOLDS = { "guest.erased": erased } satisfies Partial<Folds>;
