/** Bookings, their audit, cancellations and refunds. */
import { type TSchema, Type } from "@sinclair/typebox";
import { LETTER_KINDS } from "../../../jobs/mail/letter.ts";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
import {
  Currency,
  FreeFrom,
  Hash,
  Id,
  Instant,
  Minor,
  Money,
  named,
  OtherMethod,
  orNull,
  Party,
  PaymentState,
  PriceDifference,
  Seq,
  Stay,
  Version,
  words,
} from "../../http/schema/answer-parts.ts";
import { BookingApproval } from "../../http/schema/authorization-parts.ts";
import { Receipt } from "../../http/schema/envelope.ts";
import { PolicySnapshot, PriceBreakdown } from "../quotes/responses.ts";
import { AuditEvent } from "./audit-events.ts";
import { Guest } from "./requests.ts";

const BOOKING_STATES = [
  ...(["confirmed", "checked_in", "completed", "cancelled", "no_show", "relocated"] as const),
] as const;

const REFUND_STATES = ["pending", "succeeded", "failed"] as const;

export const BookingState = vocabulary("BookingState", BOOKING_STATES, "State of the stay.");

export const RefundState = vocabulary(
  "RefundState",
  REFUND_STATES,
  "`pending` until the payment provider has answered.",
);

const Payment = named("Payment", "The payment of a booking.", {
  payment_id: Id,
  state: PaymentState,
  amount: Minor,
  currency: Currency,
  refunded: Type.Optional(Minor),
});

const Traveler = named("Traveler", "The traveler who gave consent, by token or on the page.", {
  iss: Type.String({
    description:
      "The issuer of the traveler's token; `<BASE_URL>/checkout` of the checkout page, " +
      "`<BASE_URL>/desk` of a booking by the property.",
  }),
  sub: Type.Optional(
    orNull(
      Type.String({
        description:
          "The traveler; null after an erasure. Like the price and the policy it may be left out " +
          "of the answer to a booking that the answering process has not seen yet.",
      }),
    ),
  ),
});

const BOOKING_FIELDS = {
  booking_id: Id,
  confirmation_code: Type.String({ description: "The traveler's code for the desk." }),
  hold_id: Id,
  quote_id: Id,
  property_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  price_breakdown: Type.Optional(PriceBreakdown),
  policy_snapshot: Type.Optional(PolicySnapshot),
  payment: orNull(Payment),
  traveler: Traveler,
  created_at: Instant,
  version: Version,
};

export const Booking = named("Booking", "A confirmed booking.", {
  ...BOOKING_FIELDS,
  state: words(["confirmed"]),
  seq: Seq,
});

/** On a refund that failed after its success. */
export const ReceiptVoid = Type.Literal(true, {
  description: "The refund failed after its success: its receipt proves nothing.",
});

const REFUND_FIELDS = {
  refund_id: Id,
  booking_id: orNull(Id),
  payment_id: Id,
  amount: Minor,
  currency: Currency,
  state: RefundState,
  reason: Type.String(),
  created_at: Instant,
  failure_reason: orNull(Type.String({ description: "Why it failed; null otherwise." })),
  next_step: orNull(Type.String({ description: "Next step after a failure; null otherwise." })),
  retry_of: Type.Optional(Id),
  retried_by: Type.Optional(Id),
  method: Type.Optional(OtherMethod),
  receipt_void: Type.Optional(ReceiptVoid),
};

export const Refund = named("Refund", "A refund.", REFUND_FIELDS);

const Withheld = documented(
  words(["dispute"]),
  "Why nothing is refunded although the terms promise it: the guest's bank disputes the payment.",
);

const PolicyHash = named("PolicyHash", "Hash of the frozen terms.", { hash: Hash });

const RefundOwed = named("RefundOwed", "The refund; `refund_id` is null if nothing is refunded.", {
  amount: Minor,
  currency: Currency,
  refund_id: orNull(Id),
});

const CancellationRecord = named("CancellationRecord", "Result of a cancellation.", {
  cancelled_at: Instant,
  fee: Money,
  refund: RefundOwed,
  tier_index: Type.Integer({ minimum: 0 }),
  refunded_before: Type.Optional(Money),
  withheld: Type.Optional(Withheld),
  reason_code: orNull(Type.String()),
  note: orNull(Type.String({ description: "The caller's note; of the property, its reason." })),
  waived_fee: Type.Optional(Money),
});

const NoShowRecord = named("NoShowRecord", "Result of a no-show.", {
  no_show_at: Instant,
  fee: Money,
  refund: RefundOwed,
  refunded_before: Type.Optional(Money),
  withheld: Type.Optional(Withheld),
});

export const BookingDetail = named(
  "BookingDetail",
  "A booking with its history, refunds and receipts.",
  {
    ...BOOKING_FIELDS,
    state: BookingState,
    guest: orNull(Guest.answered),
    special_requests: orNull(Type.String()),
    authorization: orNull(BookingApproval),
    history: Type.Array(
      named("BookingChange", "A change of the booking.", {
        version: Version,
        at: Instant,
        type: Type.String({ description: "Type of the event; the audit has its data." }),
      }),
    ),
    refunds: Type.Array(Refund),
    cancellation: orNull(CancellationRecord),
    no_show: orNull(NoShowRecord),
    receipts: Type.Array(Receipt),
  },
);

const LISTED: readonly string[] = [
  ...["booking_id", "confirmation_code", "state", "hold_id", "quote_id", "property_id"],
  ...["room_type_id", "rate_plan_id", "stay", "guests", "created_at", "version"],
];

/** Found by code or hold a booking is complete; list items are summaries. */
export const FoundBooking = named(
  "FoundBooking",
  "A booking of the caller: complete if found by code or hold; in the list of all without guest, " +
    "payment and history; use `get_booking`.",
  {
    ...Object.fromEntries(
      Object.entries(BookingDetail.properties).map(([name, schema]): [string, TSchema] => [
        name,
        LISTED.includes(name) ? schema : Type.Optional(schema),
      ]),
    ),
    total: Type.Optional(Money),
    href: Type.Optional(Type.String({ description: "Path of the booking." })),
  },
);

export const Audit = named("Audit", "Everything that happened to a booking, in order.", {
  booking_id: Id,
  traveler: Traveler,
  events: Type.Array(AuditEvent),
});

export const CancellationQuote = named(
  "CancellationQuote",
  "Fee and refund of a cancellation at an instant.",
  {
    booking_id: Id,
    state: BookingState,
    is_cancellable: documented(Type.Boolean(), "Whether a cancellation would succeed now."),
    at: Instant,
    fee: Money,
    refund: Money,
    tier_index: Type.Integer({ minimum: 0 }),
    next_cutoff_at: orNull(Instant),
    policy: PolicyHash,
  },
);

const RefundSummary = named("RefundSummary", "The refund.", {
  refund_id: Id,
  amount: Minor,
  state: RefundState,
  failure_reason: Type.Optional(Type.String({ description: "Why it failed, if it did." })),
  next_step: Type.Optional(Type.String({ description: "Next step after a failure." })),
});

/** Present when something was refunded before; `kept` + all refunds = captured. */
const AFTER_EARLIER = {
  refunded_before: Type.Optional(Money),
  kept: Type.Optional(Money),
  withheld: Type.Optional(Withheld),
};

export const Cancellation = named("Cancellation", "A cancelled booking and its refund.", {
  booking_id: Id,
  state: words(["cancelled"]),
  cancelled_at: Instant,
  fee: Money,
  refund: orNull(RefundSummary),
  ...AFTER_EARLIER,
  policy: named("AppliedPolicy", "The frozen terms, and the tier that applied.", {
    hash: Hash,
    tier_index: Type.Integer({ minimum: 0 }),
  }),
  waived_fee: Type.Optional(Money),
});

const CHANGED_STAY = {
  booking_id: Id,
  version: Version,
  stay: Stay,
  guests: Party,
  room_type_id: Id,
  rate_plan_id: Id,
  price_breakdown: Type.Optional(PriceBreakdown),
  policy_snapshot: Type.Optional(PolicySnapshot),
  difference: orNull(PriceDifference),
};

export const Modification = named("Modification", "A changed booking.", {
  ...CHANGED_STAY,
  state: documented(words(["confirmed", "checked_in"]), "The booking's state, which is kept."),
  modified_at: Instant,
  refund: orNull(RefundSummary),
  guest_changed: documented(Type.Boolean(), "Whether the guest's data changed."),
  seq: orNull(Seq),
});

export const ModificationQuote = named("ModificationQuote", "A change as it would be made now.", {
  ...CHANGED_STAY,
  refund: Money,
});

export const CheckedIn = named("CheckedIn", "A booking whose guest has checked in.", {
  booking_id: Id,
  state: words(["checked_in"]),
  checked_in_at: Instant,
  undo_until: Type.Optional(
    documented(Instant, "The end of the day at the property, until when it can be undone."),
  ),
});

export const CheckInUndone = named("CheckInUndone", "A booking whose check-in was undone.", {
  booking_id: Id,
  state: words(["confirmed"]),
  undone_at: Instant,
});

export const NoShow = named("NoShow", "A no-show and its refund.", {
  booking_id: Id,
  state: words(["no_show"]),
  no_show_at: Instant,
  fee: Money,
  refund: orNull(RefundSummary),
  ...AFTER_EARLIER,
  policy: PolicyHash,
  free_from: FreeFrom,
});

export const CompletedStay = named("CompletedStay", "A booking whose guest has checked out.", {
  booking_id: Id,
  state: words(["completed"]),
  completed_at: Instant,
  free_from: FreeFrom,
});

export const SentNotification = named("SentNotification", "A mail that was sent again.", {
  booking_id: Id,
  notification: documented(words(LETTER_KINDS), "Subject of the mail."),
  message_id: Type.String({ description: "The mail's `Message-ID`, without `<` and `>`." }),
  via: Type.Union([Type.Literal("smtp"), Type.Literal("outbox")], {
    description:
      "`smtp`: accepted by the mail server. `outbox`: written as a file, because no mail server " +
      "is configured or the booking is in mode test.",
  }),
});
