/** What the desk of a property does with bookings. Days are the property's own. */

import { NOTES_MAX } from "../../engine/core/bookings/notes.ts";
import { dateOf, dayOf, instantIso, localInstant, todayIn } from "../../engine/core/calendar.ts";
import type {
  AddBookingNote,
  CancelAtDesk,
  CancelByGuest,
  CheckInGuest,
  CompleteStay,
  EraseGuest,
  RecordNoShow,
  UndoCheckIn,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import { same } from "./check.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  type ModelBooking,
  type ModelLedger,
  refused,
  succeeded,
} from "./model-ledger.ts";
import { expectCancelled, expectEnd, feeAt, refundedOf } from "./model-money.ts";

type StayCommand = CheckInGuest | UndoCheckIn | RecordNoShow | CompleteStay;
export type DeskCommand = CancelAtDesk | CancelByGuest | StayCommand;

const NEEDED = {
  ...({ CheckInGuest: "confirmed", RecordNoShow: "confirmed" } as const),
  ...({ UndoCheckIn: "checked_in", CompleteStay: "checked_in" } as const),
};

/** Of every tree of the simulation. */
export const ZONE = "Europe/Madrid";

/** `POST /v1/admin/bookings/{id}` and `/cancel` or what is done on the days of the stay. */
export function expectDesk(command: DeskCommand, stamp: number, ledger: ModelLedger): Expected {
  const booking = ledger.bookings.get(command.booking_id);
  const ids = { booking_id: command.booking_id };
  const { kind, id } = command.actor;
  const isOther = kind === "guest" && id !== command.booking_id;
  if (!booking || isOther || isForeign(command, booking))
    return refused(command, "booking_not_found", ids);
  const { quote, state } = booking;
  if (command.type === "CancelAtDesk") {
    const fee = command.waives_fee ? 0 : feeAt(quote.fees, stamp);
    return expectCancelled(command, booking, fee, ledger);
  }
  if (command.type === "CancelByGuest") return expectByGuest(command, booking, stamp, ledger);
  if (state !== NEEDED[command.type])
    return refused(command, "conflict", { reason: "booking_state", state });
  const arrival = localInstant(dayOf(quote.stay.check_in), "00:00", ZONE).ms;
  const early = (from: number) =>
    refused(command, "conflict", { reason: "too_early", from: instantIso(from) });
  switch (command.type) {
    case "CheckInGuest":
      if (stamp < arrival) return early(arrival);
      return succeeded(command, "checked_in", {
        events: ["booking.checked_in"],
        has: ids,
        apply: () => {
          booking.state = "checked_in";
          booking.checkedInAt = stamp;
          booking.version += 1;
        },
      });
    case "UndoCheckIn":
      return expectUndo(command, booking, stamp);
    case "RecordNoShow": {
      if (stamp < quote.fees.anchor_ms) return early(quote.fees.anchor_ms);
      const end = { event: "booking.no_show", kind: "no_show", state: "no_show" } as const;
      const apply = (row: Row) => free(booking, row, "booking.no_show");
      return expectEnd(command, booking, { ...end, fee: quote.fees.no_show, apply }, ledger);
    }
    case "CompleteStay":
      return succeeded(command, "completed", {
        events: ["booking.completed"],
        has: ids,
        apply: (row) => {
          booking.state = "completed";
          booking.version += 1;
          free(booking, row, "booking.completed");
        },
      });
  }
}

/** For the refund that the guest was shown, and no other. */
function expectByGuest(
  command: CancelByGuest,
  booking: ModelBooking,
  stamp: number,
  ledger: ModelLedger,
): Expected {
  const { quote, payment, state } = booking;
  const fee = feeAt(quote.fees, stamp);
  const remaining = payment ? refundedOf(payment, ledger).remaining : 0;
  const refund = Math.min(quote.due_now - fee, remaining);
  if (state === "confirmed" && refund !== command.expected_refund) {
    return refused(command, "conflict", { reason: "refund_changed", refund, fee });
  }
  return expectCancelled(command, booking, fee, ledger);
}

/** On the day of the check-in alone, as a clock at the property shows it. */
function expectUndo(command: UndoCheckIn, booking: ModelBooking, stamp: number): Expected {
  const cameAt = booking.checkedInAt ?? 0;
  if (todayIn(ZONE, stamp) > todayIn(ZONE, cameAt)) {
    const until = localInstant(todayIn(ZONE, cameAt) + 1, "00:00", ZONE).ms;
    return refused(command, "conflict", { reason: "too_late", until: instantIso(until) });
  }
  const apply = (row: Row) => {
    const { checked_in_at } = dataOf(row, "booking.check_in_undone");
    same(checked_in_at, instantIso(cameAt), "the check-in that is undone");
    booking.state = "confirmed";
    booking.version += 1;
  };
  const has = { booking_id: booking.id, state: "confirmed" };
  return succeeded(command, "check_in_undone", {
    events: ["booking.check_in_undone"],
    ...{ has, apply },
  });
}

/** The guest's data goes for good, once stay and money are settled. */
export function expectErased(command: EraseGuest, ledger: ModelLedger): Expected {
  const { booking_id } = command;
  const booking = ledger.bookings.get(booking_id);
  if (!booking || isForeign(command, booking)) {
    return refused(command, "booking_not_found", { booking_id });
  }
  const { state } = booking;
  if (booking.isErased) {
    return succeeded(command, "guest_erased", { events: [], has: { booking_id, seq: null } });
  }
  if (state === "confirmed" || state === "checked_in") {
    return refused(command, "conflict", { reason: "booking_state", state });
  }
  const own = [...ledger.refunds.values()].filter(({ payment }) => payment === booking.payment);
  const isOpen = own.some(({ state, retriedBy, isElsewhere }) => {
    return state === "pending" || (state === "failed" && !retriedBy && !isElsewhere);
  });
  if (isOpen) return refused(command, "conflict", { reason: "refund_open" });
  const apply = () => {
    booking.isErased = true;
    booking.erasedBy = command.actor;
    booking.version += 1;
  };
  return succeeded(command, "guest_erased", {
    events: ["guest.erased"],
    has: { booking_id },
    apply,
  });
}

/** A note changes nothing of the booking, and there is none without a guest. */
export function expectNote(command: AddBookingNote, ledger: ModelLedger): Expected {
  const { booking_id } = command;
  const booking = ledger.bookings.get(booking_id);
  if (!booking || isForeign(command, booking)) {
    return refused(command, "booking_not_found", { booking_id });
  }
  if (booking.isErased || !command.encrypted) {
    return refused(command, "conflict", { reason: "guest_erased" });
  }
  const { notes = 0 } = booking;
  if (notes >= NOTES_MAX) return refused(command, "conflict", { reason: "note_limit" });
  const apply = () => {
    booking.notes = notes + 1;
    booking.notedBy = command.actor;
  };
  return succeeded(command, "note_added", {
    events: ["booking.note_added"],
    has: { booking_id },
    apply,
  });
}

/** Tonight and the nights after it go back, as far as they are of the stay. */
function free(
  booking: ModelBooking,
  row: Row,
  type: "booking.no_show" | "booking.completed",
): void {
  const { check_in, check_out } = booking.quote.stay;
  const today = dateOf(todayIn(ZONE, row.stamp));
  const from = [today, check_in].sort()[1]!;
  const free_from = from < check_out ? from : null;
  same(dataOf(row, type).free_from, free_from, "the first night that goes back");
  booking.stay = { check_in, check_out: free_from ?? check_out };
}
