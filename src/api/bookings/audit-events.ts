/**
 * The events of a booking as clients see them (rules §8), a schema per type. Members are only ever
 * added: clients keep hashes over them.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import type { Event } from "../../../engine/core/events/event.ts";
import { called } from "../../http/schema/annotations.ts";
import {
  Actor,
  Currency,
  FreeFrom,
  Hash,
  Id,
  Instant,
  Minor,
  named,
  orNull,
  Party,
  RefundReason,
  Seq,
  Stay,
  words,
} from "../../http/schema/answer-parts.ts";
import { Receipt } from "../../http/schema/envelope.ts";
import { PolicySnapshot, PriceBreakdown } from "../quotes/responses.ts";

type OfHold = { readonly hold_id: string };
type OfBooking = { readonly booking_id: string };
type OfRefund = { readonly refund_id: string };
/** Types of events that name a hold or a booking. */
type AuditedType = Extract<Event, { data: OfHold | OfBooking | OfRefund }>["type"];

interface Audited {
  readonly meaning: string;
  readonly data: TProperties;
  readonly dataName?: string;
}

const CONSENT = {
  iss: Type.String({ description: "The issuer of the traveler's token." }),
  jti: Type.Optional(orNull(Type.String({ description: "Id of the delegation token." }))),
};
const UNITS = { property_id: Id, room_type_id: Id, rate_plan_id: Id, stay: Stay };
const PAYMENT = { payment_id: Id, hold_id: Id };
const REFUND = { refund_id: Id, payment_id: Id, booking_id: orNull(Id) };
const PROVIDER_CODE = {
  provider_code: orNull(Type.String({ description: "The provider's own code." })),
};

const BY_DESK = {
  desk: Type.Optional(
    named("DeskDecision", "Only if the property cancelled: the waived part of the fee.", {
      waived_fee: Minor,
    }),
  ),
};

/** A quote as in `POST /v1/quotes`, without availability. */
const FrozenTerms = named("FrozenTerms", "The quote that was held.", {
  quote_id: Id,
  hotel_id: Id,
  room_type_id: Id,
  rate_plan_id: Id,
  stay: Stay,
  guests: Party,
  price_breakdown: PriceBreakdown,
  policy_snapshot: PolicySnapshot,
  created_at: Instant,
  expires_at: Instant,
});

function kind<P extends TProperties>(meaning: string, data: P) {
  return { meaning, data };
}

/** Both kinds share this type. */
const UNDECIDED = { data: PAYMENT, dataName: "AuditedPaymentUnknownData" };

/** Meaning and `data` by type; a missing type does not compile. */
export const AUDITED = {
  "hold.created": kind("Units were held.", {
    hold_id: Id,
    quote: FrozenTerms,
    expires_at: Instant,
  }),
  "hold.extended": kind("The hold was extended.", {
    hold_id: Id,
    expires_at: Instant,
    extensions: Type.Integer({ minimum: 1 }),
  }),
  "hold.released": kind("The hold was released.", {
    hold_id: Id,
    released_at: Instant,
  }),
  "hold.expired": kind("The hold expired.", {
    hold_id: Id,
    expired_at: Instant,
  }),
  "payment.pending": kind("A payment was started; the hold waits for the result.", {
    ...PAYMENT,
    booking_id: Id,
    attempt: Type.Integer({ minimum: 1 }),
    amount: Minor,
    currency: Currency,
    method: Type.String(),
    ...CONSENT,
  }),
  "payment.referenced": kind("The payment provider registered the payment.", {
    ...PAYMENT,
    provider_ref: Type.String(),
  }),
  "payment.captured": kind("The payment was captured.", {
    ...PAYMENT,
    booking_id: Id,
    amount: Minor,
    currency: Currency,
  }),
  "payment.failed": kind("The payment definitively failed.", {
    ...PAYMENT,
    ...PROVIDER_CODE,
    hold_state: words(["held", "expired"], "State of the hold after it."),
  }),
  "payment.unknown": { meaning: "The payment outcome is not known yet.", ...UNDECIDED },
  "payment.outcome_unknown": {
    meaning: "The provider gave no definitive answer in time; the hold was released.",
    ...UNDECIDED,
  },
  "booking.confirmed": kind("The booking was confirmed.", {
    ...UNITS,
    booking_id: Id,
    hold_id: Id,
    payment_id: orNull(Id),
    confirmation_code: Type.String(),
    total: Minor,
    due_now: Minor,
    currency: Currency,
    receipt: Receipt,
    ...CONSENT,
  }),
  "booking.cancelled": kind("The booking was cancelled.", {
    ...UNITS,
    booking_id: Id,
    agent_id: Id,
    fee: Minor,
    refund: Minor,
    currency: Currency,
    tier_index: Type.Integer({ minimum: 0 }),
    refund_id: orNull(Id),
    reason_code: orNull(Type.String()),
    receipt: Receipt,
    ...BY_DESK,
    ...CONSENT,
    iss: Type.Optional(CONSENT.iss),
  }),
  "booking.checked_in": kind("The guest has checked in.", { booking_id: Id, property_id: Id }),
  "booking.no_show": kind("The guest did not arrive.", {
    ...UNITS,
    booking_id: Id,
    agent_id: Id,
    fee: Minor,
    refund: Minor,
    currency: Currency,
    refund_id: orNull(Id),
    free_from: FreeFrom,
  }),
  "booking.completed": kind("The guest has checked out.", {
    ...UNITS,
    booking_id: Id,
    agent_id: Id,
    free_from: FreeFrom,
  }),
  "refund.requested": kind("A refund was requested.", {
    ...REFUND,
    property_id: Id,
    amount: Minor,
    currency: Currency,
    reason: RefundReason,
  }),
  "refund.succeeded": kind("The refund succeeded.", {
    ...REFUND,
    amount: Minor,
    receipt: Receipt,
  }),
  "refund.failed": kind("The provider declined the refund.", {
    ...REFUND,
    ...PROVIDER_CODE,
  }),
} satisfies { [T in AuditedType]: Audited };

function eventOf([type, { meaning, data, dataName }]: [string, Audited]) {
  const name = type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return named(`Audited${name}`, meaning, {
    seq: Seq,
    type: Type.Literal(type),
    at: Instant,
    actor: Actor,
    trace_id: Type.String(),
    data: dataName === undefined ? Type.Object(data) : called(dataName, Type.Object(data)),
    prev_hash: orNull(Hash),
    hash: Hash,
  });
}

/** Any of them; `type` says which. */
export const AuditEvent = Type.Union(Object.entries(AUDITED).map(eventOf), {
  $id: "AuditEvent",
  description:
    "`hash` is the SHA-256 of the canonical JSON (RFC 8785) of the other members, `prev_hash` " +
    "that of the previous event.",
  discriminator: { propertyName: "type" },
});
