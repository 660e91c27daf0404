/** Events of bookings. */
import type { EncryptedFields, Traveler } from "../parties.ts";
import type { FrozenQuote } from "../price/quote.ts";
import { USED } from "./authorizations.ts";
import type { Declarations } from "./declaration.ts";
import {
  BOOKED_STAY,
  CURRENCY,
  DESK,
  FREE_FROM,
  ID,
  INSTANT,
  integer,
  JTI,
  MINOR,
  oneOf,
  onlyTrue,
  optional,
  orNull,
  PRICE_DIFFERENCE,
  RECEIPT,
  STAY,
  text,
  VERSION,
} from "./members.ts";

const UNITS = { property_id: ID, room_type_id: ID, rate_plan_id: ID, stay: STAY };
const MONEY_BACK = {
  ...{ fee: MINOR, refund: MINOR, currency: CURRENCY },
  /** Present when something was refunded before: then less than `fee` may be kept. */
  refunded_before: optional(MINOR),
  withheld: optional(oneOf(["dispute"], "Why no refund was requested.")),
};

export const BOOKING_EVENTS = {
  "booking.confirmed": {
    meaning: "A booking was confirmed, with its receipt.",
    subject: "booking",
    state: "confirmed",
    data: {
      ...UNITS,
      ...{ booking_id: ID, hold_id: ID, payment_id: orNull(ID), confirmation_code: text() },
      ...{ total: MINOR, due_now: MINOR, currency: CURRENCY, receipt: RECEIPT },
      jti: optional(JTI),
      ...USED,
    },
  },
  /** `quote` is journaled whole, as the new price and terms; events have its figures. */
  "booking.modified": {
    meaning: "A booking's stay, room, plan, party or guest was changed.",
    subject: "booking",
    reads: ["booking"],
    data: {
      ...{ booking_id: ID, property_id: ID, agent_id: ID, version: VERSION },
      ...{ before: BOOKED_STAY, after: BOOKED_STAY, currency: CURRENCY },
      difference: orNull(PRICE_DIFFERENCE),
      ...{ refund: MINOR, refund_id: orNull(ID), receipt: orNull(RECEIPT) },
      guest_changed: optional(onlyTrue("The guest's data or special requests were changed.")),
    },
  },
  "booking.cancelled": {
    meaning: "A booking was cancelled; its units are on sale again.",
    subject: "booking",
    state: "cancelled",
    reads: ["booking"],
    data: {
      ...{ ...UNITS, booking_id: ID, agent_id: ID, ...MONEY_BACK },
      ...{ tier_index: integer(0), refund_id: orNull(ID), reason_code: orNull(text()) },
      ...{ jti: JTI, receipt: RECEIPT, desk: optional(DESK) },
    },
  },
  "booking.checked_in": {
    meaning: "The guest of a booking has checked in.",
    subject: "booking",
    state: "checked_in",
    reads: ["booking"],
    data: { booking_id: ID, property_id: ID },
  },
  "booking.check_in_undone": {
    meaning: "A check-in was undone on its day; the booking is confirmed again.",
    subject: "booking",
    state: "confirmed",
    reads: ["booking"],
    data: { booking_id: ID, property_id: ID, checked_in_at: INSTANT },
  },
  /** The fee of the frozen terms is kept; later nights are freed. */
  "booking.no_show": {
    meaning: "The guest of a booking did not arrive; future nights are on sale again.",
    subject: "booking",
    state: "no_show",
    reads: ["booking"],
    data: {
      ...{ ...UNITS, booking_id: ID, agent_id: ID, ...MONEY_BACK },
      ...{ refund_id: orNull(ID), free_from: FREE_FROM },
    },
  },
  "booking.completed": {
    meaning: "The guest of a booking has checked out; unused nights are on sale again.",
    subject: "booking",
    state: "completed",
    reads: ["booking"],
    data: { ...UNITS, booking_id: ID, agent_id: ID, free_from: FREE_FROM },
  },
  /** Not a change of the booking: it has no version, and agents do not see it. */
  "booking.note_added": {
    meaning: "The property wrote a note about a booking; the text is not in the event.",
    subject: "booking",
    reads: ["booking"],
    data: { booking_id: ID, property_id: ID, note_id: ID },
  },
  "guest.erased": {
    meaning: "The guest's data of a booking was erased for good.",
    subject: "booking",
    reads: ["booking"],
    data: { booking_id: ID, property_id: ID, version: VERSION },
  },
} as const satisfies Declarations;

/** What only folds need, beside `data`. */
export interface BookingSecrets {
  readonly "booking.confirmed": {
    /** Present only when nothing was due: then no payment record has these. */
    readonly secret?: { readonly traveler: Traveler; readonly encrypted: EncryptedFields };
  };
  readonly "booking.modified": {
    readonly secret?: {
      /** Absent when only the guest's data changed. */
      readonly quote?: FrozenQuote;
      readonly encrypted?: EncryptedFields;
    };
  };
  readonly "booking.note_added": { readonly secret: { readonly encrypted: EncryptedFields } };
  readonly "booking.cancelled": { readonly secret?: { readonly encrypted: EncryptedFields } };
}
