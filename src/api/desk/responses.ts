/** Answers for the desk: bookings and pending work. */
import { type TSchema, Type } from "@sinclair/typebox";
import { documented } from "../../http/schema/annotations.ts";
import {
  CivilDate,
  Currency,
  Id,
  Instant,
  listOf,
  Minor,
  Money,
  named,
  OtherMethod,
  orNull,
  Party,
  PaymentState,
  RefundReason,
  Seq,
  Stay,
  Version,
  words,
} from "../../http/schema/answer-parts.ts";
import { BookingApproval } from "../../http/schema/authorization-parts.ts";
import { Guest } from "../bookings/requests.ts";
import { BookingState, ReceiptVoid, RefundState } from "../bookings/responses.ts";

const OWNER = {
  property_id: Id,
  agent_id: Type.String({ description: "The agent that owns it." }),
};

const OFFER = { room_type_id: Id, rate_plan_id: Id, stay: Stay, guests: Party };

const DESK_BOOKING = {
  booking_id: Id,
  confirmation_code: Type.String({ description: "The traveler's code for the desk." }),
  state: BookingState,
  ...OWNER,
  ...OFFER,
  guest: orNull(Guest.answered),
  special_requests: orNull(Type.String()),
  guest_damaged: Type.Optional(
    Type.Literal(true, {
      description: "The guest cannot be read: the data key is damaged. An operator can restore it.",
    }),
  ),
  total: Money,
  paid: Money,
  due_at_property: Money,
  created_at: Instant,
  version: Version,
  property_name: orNull(Type.String({ description: "As it is now; null if it is gone." })),
  room_type_name: orNull(Type.String({ description: "As it is now; null if it is gone." })),
  rate_plan_name: orNull(Type.String({ description: "As it is now; null if it is gone." })),
};
const DeskBooking = named("DeskBooking", "A booking as the desk needs it.", DESK_BOOKING);
export const DeskBookings = listOf(DeskBooking);

export const FoundGuests = named("FoundGuests", "Bookings found by a part of a guest's name.", {
  items: Type.Array(DeskBooking),
  searched: documented(Type.Integer({ minimum: 0 }), "Bookings whose guest was looked at."),
  unreadable: documented(
    Type.Integer({ minimum: 0 }),
    "Those of them whose guest cannot be read: the data key is damaged.",
  ),
  next_after: documented(
    orNull(Id),
    "Null when all were looked at; else `after` of the same search, for the bookings before.",
  ),
});

const DueBooking = named("DueBooking", "A booking whose guest is expected, or has to leave.", {
  ...DESK_BOOKING,
  is_late: Type.Boolean({ description: "Due before today." }),
});

const Count = Type.Integer({ minimum: 0 });

/** The first items of a list, and the number of all. */
function partOf<T extends TSchema>($id: string, description: string, items: T) {
  const total = documented(Count, "Number of all, of which `items` has the first.");
  return named($id, description, { total, items: Type.Array(items) });
}

const DueBookings = partOf("DueBookings", "Guests who are expected, or have to leave.", DueBooking);
const StayingBookings = partOf("StayingBookings", "Guests who stay for the night.", DeskBooking);

const DeskNeeds = named(
  "DeskNeeds",
  "Work that waits for an operator, by its list; null without the scope of the list.",
  {
    authorizations: documented(orNull(Count), "Booking authorizations that are `pending`."),
    incidents: documented(orNull(Count), "Oversell incidents that are `open`."),
    dead_letters: documented(orNull(Count), "Dead letters not replayed or discarded."),
    refunds_failed: documented(orNull(Count), "Refunds that are `failed`."),
    payments_unresolved: documented(
      orNull(Count),
      "Payments without an outcome that are stuck (`is_stuck`).",
    ),
  },
);

const DeskDay = named("DeskDay", "Today's date in a time zone.", {
  date: CivilDate,
  timezone: Type.String({ description: "IANA time zone." }),
  properties: documented(Count, "Properties there."),
});

export const DeskToday = named(
  "DeskToday",
  "The desk's day at a property, or at all of them. `arrivals` are confirmed and begin today or " +
    "earlier, `in_house` are checked in and end after today, `departures` today or earlier.",
  {
    property_id: orNull(Id),
    days: Type.Array(DeskDay, { description: "Most properties first." }),
    arrivals: DueBookings,
    in_house: StayingBookings,
    departures: DueBookings,
    free_tonight: documented(
      orNull(Count),
      "Units that can be sold tonight, ignoring restrictions; null without a live property.",
    ),
    oversold_tonight: documented(Count, "Units sold or held tonight above capacity."),
    needs: DeskNeeds,
  },
);

/** Fields of pending work. */
const STANDING = {
  age_s: Type.Integer({ minimum: 0 }),
  is_stuck: Type.Boolean({ description: "True if it needs attention." }),
  why: orNull(Type.String({ description: "What it waits for, in words; null if nothing." })),
  next_step: orNull(Type.String({ description: "Next step, in words." })),
};

const OpenHold = named("OpenHold", "An active hold.", {
  hold_id: Id,
  quote_id: Id,
  state: documented(words(["held", "confirming"]), "`confirming`: its payment is in progress."),
  expires_at: Instant,
  ...OWNER,
  ...OFFER,
  total: Money,
  extensions: Type.Integer({ minimum: 0, maximum: 2 }),
  created_at: Instant,
  payment_id: orNull(Id),
});
export const OpenHolds = listOf(OpenHold);

const Dispute = named("Dispute", "The last dispute about a payment.", {
  dispute_id: Type.String({ description: "The payment provider's id." }),
  state: documented(words(["open", "won", "lost"]), "`won`: the property has the money again."),
  amount: Minor,
  reason: Type.String({ description: "The bank's reason, a word of the payment provider." }),
  due_by: orNull(Instant),
});

export const DeskPayment = named("DeskPayment", "A payment and what it waits for.", {
  payment_id: Id,
  state: PaymentState,
  amount: Minor,
  currency: Currency,
  refunded: Minor,
  ...OWNER,
  hold_id: Id,
  booking_id: orNull(Id),
  attempt: Type.Integer({ minimum: 1 }),
  authorization: orNull(BookingApproval),
  method: Type.String(),
  provider_ref: orNull(Type.String({ description: "Reference of the payment provider." })),
  provider_code: orNull(Type.String({ description: "The provider's own code." })),
  dispute: orNull(Dispute),
  created_at: Instant,
  updated_at: Instant,
  ...STANDING,
});
export const DeskPayments = listOf(DeskPayment);

const REPEATED = {
  retry_of: Type.Optional(Id),
  method: Type.Optional(OtherMethod),
};

export const DeskRefund = named("DeskRefund", "A refund and what it waits for.", {
  refund_id: Id,
  state: RefundState,
  amount: Minor,
  currency: Currency,
  reason: RefundReason,
  ...OWNER,
  payment_id: Id,
  booking_id: orNull(Id),
  provider_code: Type.Optional(Type.String({ description: "The provider's own code." })),
  ...REPEATED,
  retried_by: Type.Optional(Id),
  receipt_void: Type.Optional(ReceiptVoid),
  note: Type.Optional(orNull(Type.String({ description: "Null after an erasure." }))),
  settlement_note: Type.Optional(orNull(Type.String({ description: "Null after an erasure." }))),
  created_at: Instant,
  updated_at: Instant,
  ...STANDING,
});
export const DeskRefunds = listOf(DeskRefund);

const NOTE = {
  note_id: Id,
  booking_id: Id,
  created_at: Instant,
};
export const AddedNote = named("AddedBookingNote", "A note that was added.", { ...NOTE, seq: Seq });

const BookingNote = named("BookingNote", "A note of the property about a booking.", {
  ...NOTE,
  author: documented(Type.String(), "The operator that wrote it."),
  text: orNull(
    Type.String({ description: "Null after an erasure, and without the scope `bookings:read`." }),
  ),
});
export const BookingNotes = listOf(BookingNote);

const RefundFigures = named("RefundFigures", "A booking's payment, in minor units.", {
  captured: Minor,
  refunded: Minor,
  pending: Minor,
  remaining: Minor,
  disputed: Type.Optional(Minor),
  currency: Currency,
});

export const BookingRefunds = named("BookingRefunds", "All refunds of a booking, oldest first.", {
  items: Type.Array(DeskRefund),
  money: orNull(RefundFigures),
});

export const MadeRefund = named("MadeRefund", "A refund by the property.", {
  refund_id: Id,
  booking_id: orNull(Id),
  payment_id: Id,
  amount: Minor,
  currency: Currency,
  state: RefundState,
  reason: RefundReason,
  created_at: Instant,
  remaining: Minor,
  ...REPEATED,
  failure_reason: Type.Optional(Type.String({ description: "Why it failed, if it did." })),
  next_step: Type.Optional(Type.String({ description: "Next step after a failure." })),
});
