/** What a guest sees: the own booking, without what is the agent's or the property's own. */
import { Type } from "@sinclair/typebox";
import {
  Currency,
  Id,
  Instant,
  Minor,
  Mode,
  Money,
  named,
  orNull,
  Party,
  PaymentState,
  Stay,
  Version,
} from "../../http/schema/answer-parts.ts";
import { Receipt } from "../../http/schema/envelope.ts";
import { Guest } from "../bookings/requests.ts";
import { BookingState, RefundState } from "../bookings/responses.ts";
import { PolicySnapshot, PriceBreakdown } from "../quotes/responses.ts";

export const MagicLinkAsked = named(
  "MagicLinkAsked",
  "The same whether or not there is a booking.",
  {
    link_expires_in_s: Type.Integer({ description: "A link can be used for so long." }),
  },
);

export const GuestSessionOut = named("GuestSession", "A session of the guest of one booking.", {
  session_secret: Type.String({ description: "Bearer of the guest's calls; shown once." }),
  booking_id: Id,
  expires_at: Instant,
});

export const GuestSessionEnded = named("GuestSessionEnded", "The session that ended.", {
  booking_id: Id,
});

const Hotel = named("GuestHotel", "The hotel of the booking.", {
  name: Type.String(),
  address: Type.Array(Type.String(), { description: "Lines of the postal address." }),
  phone: orNull(Type.String()),
  email: orNull(Type.String()),
  geo: orNull(
    named("GuestPlace", "Where it is.", {
      latitude: Type.Number({ description: "Degrees north." }),
      longitude: Type.Number({ description: "Degrees east." }),
    }),
  ),
  timezone: Type.String({ description: "IANA time zone." }),
  checkin_time: orNull(Type.String({ description: "Local time from which guests arrive." })),
  checkout_time: orNull(Type.String({ description: "Local time by which guests leave." })),
});

const Repaid = named("GuestRefund", "A refund, without the property's reason.", {
  refund_id: Id,
  amount: Minor,
  currency: Currency,
  state: RefundState,
  created_at: Instant,
});

const Settled = {
  fee: Money,
  refund: named("GuestMoneyBack", "What is given back.", { amount: Minor, currency: Currency }),
};

export const GuestBooking = named("GuestBooking", "A booking as its guest sees it.", {
  booking_id: Id,
  confirmation_code: Type.String(),
  mode: Mode,
  state: BookingState,
  version: Version,
  created_at: Instant,
  hotel: orNull(Hotel),
  room: orNull(Type.String({ description: "Name of the room type." })),
  rate_plan: orNull(Type.String({ description: "Name of the rate plan." })),
  stay: Stay,
  guests: Party,
  price_breakdown: Type.Optional(PriceBreakdown),
  policy_snapshot: Type.Optional(PolicySnapshot),
  payment: orNull(
    named("GuestPayment", "What was paid.", {
      state: PaymentState,
      amount: Minor,
      currency: Currency,
    }),
  ),
  refunds: Type.Array(Repaid),
  guest: orNull(Guest.answered),
  special_requests: orNull(Type.String()),
  cancellation: orNull(
    named("GuestCancelled", "The cancellation.", { cancelled_at: Instant, ...Settled }),
  ),
  no_show: orNull(named("GuestNoShow", "The no-show.", { no_show_at: Instant, ...Settled })),
});

export const GuestReceipts = named("GuestReceipts", "The signed receipts, oldest first.", {
  items: Type.Array(Receipt),
});

const CHANGED = {
  booking_id: Id,
  version: Version,
  stay: Stay,
  guests: Party,
  room_type_id: Id,
  rate_plan_id: Id,
  price_breakdown: Type.Optional(PriceBreakdown),
  policy_snapshot: Type.Optional(PolicySnapshot),
};

export const GuestModification = named("GuestModification", "The guest's changed booking.", {
  ...CHANGED,
  state: BookingState,
  modified_at: Instant,
  guest_changed: Type.Boolean({ description: "Whether the guest's data changed." }),
});

export const GuestModificationQuote = named(
  "GuestModificationQuote",
  "A change as it would be made now.",
  CHANGED,
);
